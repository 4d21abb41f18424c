import type { ConversationResult } from '../../../spec/index.ts';
import type { JsonObject } from '../../../text/json.ts';
import { wrongWithResult, wrongWithResults } from '../../store/resource-errors.ts';
import { MockError } from '../../mock-error.ts';
import { json, member, type Handlers } from '../admin-route.ts';
import { isCheck, replaced, shownErrors, unfitAnswer } from './editing.ts';
import type { Listing } from '../../store/listing.ts';
import { rangeOf, searched } from './paging.ts';

export const resultHandlers = {
  listAgentResults({ session, parameters: { agentId = '' }, query }) {
    const listing = session.store.results(agentId);
    const isFound = searched(query);
    const newest =
      isFound &&
      // Without the names of fields, which all results have.
      newestOf(listing, MOST_SEARCHED).filter((result) => isFound(JSON.stringify(result).replaceAll(/"\w+":/g, ' ')));
    const total = newest?.length ?? listing.count;
    const { offset, length } = rangeOf(query, total);
    const results = newest?.slice(offset, offset + length) ?? Array.from({ length }, (_, i) => listing.at(offset + i));
    return json({ total, results });
  },
  addResults({ session, parameters: { agentId = '' }, query, body }) {
    const given = member<readonly JsonObject[] | undefined>(body, 'results');
    if (given !== undefined && member<unknown>(body, 'count') !== undefined)
      throw new MockError('body has count and results. Give count to generate results, or results to add your own.');
    const errors = wrongWithResults(given ?? []);
    if (isCheck(query)) return json({ errors: shownErrors(errors) });
    if (errors.length > 0) return unfitAnswer('The results do not fit their schema.', errors);
    const results = given as unknown as readonly Partial<ConversationResult>[] | undefined;
    const ids = session.edits.addResults(agentId, results ?? member<number | undefined>(body, 'count') ?? 1);
    return json({ ids }, 201);
  },
  getResult: ({ session: { store }, parameters: { agentId = '', resultId = '' } }) =>
    json({ result: store.result(agentId, resultId) }),
  replaceResult({ session, parameters: { agentId = '', resultId = '' }, query, body }) {
    const result = member<JsonObject>(body, 'result');
    if (isCheck(query)) return json({ errors: shownErrors(wrongWithResult(resultId, result)) });
    const errors = session.edits.replaceResult(agentId, resultId, result);
    return replaced('The result does not fit its schema.', { agentId, resultId }, errors);
  },
  deleteResult({ session, parameters: { agentId = '', resultId = '' } }) {
    session.store.removeResult(agentId, resultId);
    return json({ agentId, resultId, removed: true });
  },
} satisfies Partial<Handlers>;

const MOST_SEARCHED = 5000;

export const newestOf = (listing: Listing, most: number): readonly ConversationResult[] =>
  Array.from({ length: Math.min(listing.count, most) }, (_, i) => listing.at(i));
