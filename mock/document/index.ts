import { openapi, type OpenApi } from '../../spec/openapi/document.ts';
import type { Profile } from '../../spec/index.ts';
import type { MockTarget } from '../store/target.ts';
import { documentOf } from './of-profile.ts';

/** The document of a session: the answers of its profile, the ids of its world, and its address below `base` as the server. */
export function documentOfSession(
  { id, profile, target }: { readonly id: string; readonly profile: Profile; readonly target: MockTarget },
  base = '',
): OpenApi {
  const document = documentForAll(base, inWorld(documentOf(profile), target));
  if (id === '') return document;
  return { ...document, servers: [{ url: `${base}/_s/${id}`, description: 'This session' }] };
}

/** Without `jsonSchemaDialect`, since Swagger UI warns about the standard dialect of OpenAPI 3.1. For all by default. */
export function documentForAll(base = '', { jsonSchemaDialect: _dialect, ...document }: OpenApi = openapi): OpenApi {
  return {
    ...document,
    servers: [
      { url: base || '/', description: 'This mock' },
      {
        url: `${base}/_s/{session}`,
        description: 'A session of this mock: a separate world',
        variables: { session: { default: 'mine' } },
      },
    ],
  };
}

const { agentId, workspaceId, v5AgentId } = idsOfExamples();

/** A document whose examples name agents and a workspace of a world, so that each request works unchanged. */
export function inWorld(document: OpenApi, target: MockTarget): OpenApi {
  const own = new Map([
    [agentId, target.agentId],
    [workspaceId, target.workspaceId],
    [v5AgentId, target.v5AgentId],
  ]);
  return JSON.parse(JSON.stringify(document), (_, value: unknown) => own.get(String(value)) ?? value) as OpenApi;
}

function idsOfExamples(): { readonly [name in 'agentId' | 'workspaceId' | 'v5AgentId']: string } {
  const answer = openapi.paths['/api/v1/agents/{agentId}']?.['get']?.responses['200'];
  const examples = answer?.content?.['application/json']?.examples ?? {};
  const agentIn = (name: string): Readonly<Record<string, string>> =>
    (examples[name]?.value as { readonly agent?: Record<string, string> } | undefined)?.agent ?? {};
  const { id = '', workspaceId: owner = '' } = agentIn('version-6');
  return { agentId: id, workspaceId: owner, v5AgentId: agentIn('version-5')['id'] ?? '' };
}
