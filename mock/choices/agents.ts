/** What creation and import do where the specification leaves the choice open. Plain switches for `mock/endpoints`. */
export const contentType = { refused: 'content-type', 'refused-as-invalid': 'invalid', read: undefined } as const;
export const undocumentedFieldsSent = { kept: true, dropped: false };
export const importV5 = { upgraded: true, refused: false };
export const importPublished = { published: true, draft: false };
export const importServerFields = { ignored: true, refused: false };
export const requiredBodyFields = { 'workspace-and-agent': [], 'name-too': ['name'] } as const;
/** The parts that an import must have, with any content. */
export const importParts = {
  optional: [],
  required: ['groups', 'events', 'edges', 'variables', 'theme', 'settings'],
} as const;
export const unknownWorkspace = { refused: false, accepted: true };
export const takenPublicId = { changed: true, refused: false };
export const missingWorkspaceName = { refused: undefined, 'named-by-server': 'My workspace' };
export const equalWorkspaceNames = { accepted: true, refused: false };
export const mistypedBodyField = { refused: false, ignored: true };
export const nullInBody = { accepted: true, refused: false };
export const unpublishedAgent = { refused: false, null: true };
export const storedV5 = { 'as-v5': false, 'as-v6': true };
