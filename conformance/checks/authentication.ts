import { endpointIds, endpoints, type EndpointId } from '../../spec/index.ts';
import type { Answer } from '../history/exchange.ts';
import type { CallParameters } from '../asking/api.ts';
import type { Check, CheckContext } from '../check.ts';
import { CannotJudge, NoAnswer, Violation } from '../expect.ts';
import { observeRefusal } from '../observations/recognise.ts';

/** Section 5: every endpoint refuses a caller who does not show a token that was issued. */
export const authenticationChecks: readonly Check[] = endpointIds.flatMap((endpoint): readonly Check[] => [
  {
    id: `${endpoint}-refuses-no-authorization`,
    title: `${endpoints[endpoint].title} refuses a request without the Authorization header`,
    endpoint,
    verifies: ['authorization-required'],
    provenBy: [`${endpoint}-accepts-no-authorization`],
    run: (t) => mustBeRefused(t, endpoint, { label: 'without-authorization', authorization: null }),
  },
  {
    id: `${endpoint}-refuses-other-scheme`,
    title: `${endpoints[endpoint].title} refuses the token under another scheme than Bearer`,
    endpoint,
    verifies: ['authorization-bearer'],
    provenBy: [`${endpoint}-accepts-other-scheme`],
    run: async (t) =>
      mustBeRefused(t, endpoint, { label: 'with-the-scheme-basic', authorization: `Basic ${t.given.token()}` }),
  },
  {
    id: `${endpoint}-refuses-empty-token`,
    title: `${endpoints[endpoint].title} refuses Bearer without a token`,
    endpoint,
    verifies: ['authorization-token-present'],
    provenBy: [`${endpoint}-accepts-empty-token`],
    run: (t) => mustBeRefused(t, endpoint, { label: 'with-an-empty-token', authorization: 'Bearer ' }),
  },
  {
    id: `${endpoint}-refuses-unknown-token`,
    title: `${endpoints[endpoint].title} refuses a token that was never issued`,
    endpoint,
    verifies: ['authorization-token-known'],
    provenBy: [`${endpoint}-accepts-unknown-token`],
    run: (t) =>
      mustBeRefused(t, endpoint, {
        label: 'with-an-unknown-token',
        authorization: `Bearer agent-contract-unknown-${t.given.tag}`,
      }),
  },
]);

/** Sends a request that was accepted with the token, the Authorization header alone being another. */
async function mustBeRefused(
  { api, given, observe }: CheckContext,
  endpoint: EndpointId,
  { label, authorization }: { readonly label: string; readonly authorization: string | null },
): Promise<void> {
  const control = await given.repeatable(endpoint);
  const request: CallParameters = { ...(await control.again(label)), authorization };
  const answer = await answerTo(() => api.call(endpoint, request));
  if (answer instanceof NoAnswer) {
    const still = await api.call(endpoint, await control.again(`${label}-compared`));
    if (!still.accepted) throw new CannotJudge(answer.message);
    throw new Violation(
      {
        expected: `the request ${label.replaceAll('-', ' ')} is answered, and refused`,
        actual: `no answer: ${answer.message}`,
      },
      [still.exchange, answer.exchange],
    );
  }
  if (!answer.accepted) {
    observeRefusal(observe, 'unauthorized', answer);
    return;
  }
  throw new Violation(
    { expected: `the request ${label.replaceAll('-', ' ')} is refused`, actual: `it was served with ${answer.status}` },
    [control.answer.exchange, answer.exchange],
  );
}

/** A socket that closes may be an accident once; twice, beside a request that is answered, it is the answer. */
async function answerTo(send: () => Promise<Answer>): Promise<Answer | NoAnswer> {
  const attempt = (): Promise<Answer | NoAnswer> =>
    send().catch((error: unknown) => {
      if (error instanceof NoAnswer) return error;
      throw error;
    });
  const first = await attempt();
  return first instanceof NoAnswer ? attempt() : first;
}
