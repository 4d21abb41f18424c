/**
 * A document whose examples name an agent and a workspace that are there, so that every request can be tried as it is.
 * Examples of answers stay as they are.
 */
export function withRealIds(openapi, { agentId, workspaceId }) {
  const paths = {};
  for (const [path, item] of Object.entries(openapi.paths)) {
    paths[path] = {};
    for (const [method, operation] of Object.entries(item)) {
      paths[path][method] = {
        ...operation,
        ...(operation.parameters && {
          parameters: operation.parameters.map((one) =>
            one.name === 'agentId' && agentId ? { ...one, example: agentId } : one,
          ),
        }),
        ...(operation.requestBody && { requestBody: inWorkspace(operation.requestBody, workspaceId) }),
      };
    }
  }
  return { ...openapi, paths };
}

function inWorkspace(value, workspaceId) {
  if (Array.isArray(value)) return value.map((item) => inWorkspace(item, workspaceId));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'workspaceId' && typeof inner === 'string' && workspaceId ? workspaceId : inWorkspace(inner, workspaceId),
    ]),
  );
}
