import type { EndpointId } from '../../spec/index.ts';
import type { AnswerContext, Incoming } from '../answer.ts';
import type { MockRequest } from '../call.ts';
import type { Fault } from '../faults/fault.ts';
import { MockError } from '../mock-error.ts';
import type { Preferred } from '../on-demand/preferences.ts';
import type { Warning } from '../teaching/warnings.ts';
import type { UpstreamControls, UpstreamOptions } from '../upstream/options.ts';
import type { Wire } from '../wire/wire.ts';

/** What is told of a request that may be answered by another, and added to. */
export interface Underway extends Incoming {
  /** `undefined` if the request belongs to no endpoint. */
  readonly endpoint: EndpointId | undefined;
  readonly extra: Fault | undefined;
  readonly warnings: Warning[];
  readonly applied: Set<keyof Preferred>;
}

/** What stands behind a session, and may answer in its place: nothing, or a real server (`upstream/`). */
export interface BehindSession {
  /** Who answers each endpoint, if there is a choice. */
  readonly controls: UpstreamControls | undefined;
  /** What the mock's own answers have beside others. */
  readonly ownHeaders: Wire['headers'];
  /** What an answer of the mock itself depends on, beside a server with tokens and workspaces of its own. */
  readonly adapt: (context: AnswerContext, request: MockRequest) => AnswerContext;
  /** Its answer to a request. `undefined`, at once or later, if the mock answers. Never rejects. */
  readonly answer: (underway: Underway, context: () => AnswerContext) => Promise<Wire | undefined> | undefined;
}

export const alone: BehindSession = {
  controls: undefined,
  ownHeaders: {},
  adapt: (context) => context,
  answer: () => undefined,
};

/** A mock that answers everything itself. @throws MockError if the options name a server */
export function nothingBehind({ upstream }: { readonly upstream?: UpstreamOptions }) {
  if (!upstream) return { learns: false, join: () => alone };
  throw new MockError(
    'upstream needs createMock of agent-contract/mock in Node.js. Elsewhere, mock single endpoints with "only".',
  );
}
