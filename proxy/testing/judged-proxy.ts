import type { Found } from '../findings-log.ts';
import type { ForwarderOptions } from '../forward.ts';
import { createInspector, type InspectorOptions, type Judging } from '../inspect.ts';
import { startJudge } from '../judge-thread.ts';
import type { Passed } from '../passed.ts';
import { createShare } from '../share.ts';
import { startProxy } from '../start.ts';

/** A proxy with the judge of the command, in this process, and what that found. @throws the error of a judge that breaks */
export async function judgedProxy(
  upstream: string,
  options: Partial<ForwarderOptions & InspectorOptions> = {},
  onPassed: (passed: Passed) => void = () => undefined,
) {
  const { share = createShare() } = options;
  const found: Found[] = [];
  const judge = await startJudge({ upstream, secrets: [] }, [], share, {
    onFound: found.push.bind(found),
    onNote(why) {
      throw new Error(why);
    },
  });
  const judging: Judging = { ...judge.judging, see: (one) => (onPassed(one), judge.judging.see(one)) };
  const inspector = createInspector({ wrong: 'passes', ...options, judging, share });
  const to = { upstream: new URL(upstream), timeoutMs: 10_000, port: 0, host: '127.0.0.1' };
  const proxy = await startProxy({ ...to, ...options, inspector });
  /** What was judged, and what was left out. */
  const traffic = async () => (await judge.report()).report?.traffic;
  return { ...proxy, close: (drainMs?: number) => proxy.close(drainMs).then(judge.end), found, traffic };
}
