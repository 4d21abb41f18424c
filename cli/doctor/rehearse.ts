import type { CheckReport } from '../../conformance/report/report.ts';
import type { RunOptions } from '../../conformance/run-options.ts';
import { roles } from '../../fixtures/index.ts';
import { createMock } from '../../mock/index.ts';
import { judge } from '../../prove/target.ts';
import type { Usable } from './examine.ts';

/**
 * Finds out what could be judged by running the checks, in process, against a mock about which only as much is known as
 * about the target. So the result always matches the checks.
 */
export async function rehearse(
  usable: Usable,
  { workspaceId, readOnly, only, skip }: RunOptions,
): Promise<readonly CheckReport[]> {
  const { target, store } = createMock({ seed: 1 });
  const tokens = { write: target.token, read: target.readToken, guest: target.guestToken };
  const agents = { 'with results': target.agentId, 'without results': store.agentId(roles.withoutResults) };
  const supplied = Object.entries(target).map(([option, value]) => [
    option,
    usable[option as keyof Usable] ? value : undefined,
  ]);
  const { checks } = await judge(
    {},
    {
      ...Object.fromEntries(supplied),
      token: usable.token && tokens[usable.token],
      agentId: usable.agentId && agents[usable.agentId],
      workspaceId: workspaceId && target.workspaceId,
      readOnly,
      only,
      skip,
      observe: false,
    },
  );
  return checks;
}
