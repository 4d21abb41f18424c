import { openapi, type OpenApi } from '../../spec/openapi/document.ts';
import type { MockTarget } from '../store/target.ts';

/** The ids in the examples of the document. */
const { agentId, workspaceId, v5AgentId } = idsOfExamples();

/** A document whose examples name agents and a workspace of a world, so that each request works unchanged. */
export function inWorld(document: OpenApi, target: MockTarget): OpenApi {
  const own = new Map([
    [agentId, target.agentId],
    [workspaceId, target.workspaceId],
    [v5AgentId, target.v5AgentId],
  ]);
  const known = (value: unknown): unknown => {
    if (typeof value === 'string') return own.get(value) || value;
    if (Array.isArray(value)) return value.map(known);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, known(inner)]));
  };
  return known(document) as OpenApi;
}

function idsOfExamples(): { readonly [name in 'agentId' | 'workspaceId' | 'v5AgentId']: string } {
  const answer = openapi.paths['/api/v1/agents/{agentId}']?.['get']?.responses['200'];
  const examples = answer?.content?.['application/json']?.examples ?? {};
  const agentIn = (name: string): Readonly<Record<string, string>> =>
    (examples[name]?.value as { readonly agent?: Record<string, string> } | undefined)?.agent ?? {};
  const { id = '', workspaceId: owner = '' } = agentIn('version-6');
  return { agentId: id, workspaceId: owner, v5AgentId: agentIn('version-5')['id'] ?? '' };
}
