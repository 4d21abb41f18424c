import type { Found } from '../findings-log.ts';
import type { ForwarderOptions } from '../forward.ts';
import { createInspector, type InspectorOptions, type Judging } from '../inspect.ts';
import { startJudge } from '../judge-thread.ts';
import type { Passed } from '../passed.ts';
import { createShare } from '../share.ts';
import { startProxy } from '../start.ts';

/** A proxy with the judge of the command, in this process. @throws the error of a judge that breaks */
export async function judgedProxy(
  upstream: string,
  { wrong = 'passes', onUnjudged, share = createShare(), ...more }: Partial<ForwarderOptions & InspectorOptions> = {},
  on: { readonly onFound?: (found: Found) => void; readonly onPassed?: (passed: Passed) => void } = {},
) {
  const { onFound = (): void => undefined, onPassed = (): void => undefined } = on;
  const fail = (why: string): never => {
    throw new Error(why);
  };
  const judge = await startJudge({ upstream, secrets: [] }, [], share, { onFound, onNote: fail });
  const judging: Judging = { ...judge.judging, see: (one) => (onPassed(one), judge.judging.see(one)) };
  const inspector = createInspector({ judging, wrong, onUnjudged, share, isRecording: more.isRecording });
  const to = { upstream: new URL(upstream), timeoutMs: 10_000, port: 0, host: '127.0.0.1' };
  const proxy = await startProxy({ ...to, inspector, ...more });
  /** What was judged, and what was left out. */
  const traffic = async () => (await judge.report()).report?.traffic;
  return { ...proxy, close: (drainMs?: number) => proxy.close(drainMs).then(judge.end), traffic };
}
