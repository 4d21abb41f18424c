import type { JsonObject } from '../call.ts';

/** The flow of an agent of which nothing is known: it starts, and does nothing (sections 2.1 and 2.2). */
export const blankFlow = (agentId: string): JsonObject => ({
  events: [{ id: `${agentId}-start`, type: 'start', graphCoordinates: { x: 0, y: 0 } }],
  groups: [],
  edges: [],
  variables: [],
  theme: {},
  settings: {},
});
