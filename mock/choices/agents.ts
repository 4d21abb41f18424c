/** What creation and import do where the specification leaves the choice open. Plain switches for `mock/endpoints`. */
export const agentChoices = {
  'content-type': { refused: 'content-type', 'refused-as-invalid': 'invalid', read: undefined } as const,
  'undocumented-fields-sent': { kept: true, dropped: false },
  'import-v5': { upgraded: true, refused: false },
  'import-published': { published: true, draft: false },
  'import-server-fields': { ignored: true, refused: false },
  'required-body-fields': { 'workspace-and-agent': [], 'name-too': ['name'] } as const,
  /** The parts that an import must have, with any content. */
  'import-parts': { optional: [], required: ['groups', 'events', 'edges', 'variables', 'theme', 'settings'] } as const,
  'unknown-workspace': { refused: false, accepted: true },
  'taken-public-id': { changed: true, refused: false },
  'missing-workspace-name': { refused: undefined, 'named-by-server': 'My workspace' },
  'equal-workspace-names': { accepted: true, refused: false },
  'mistyped-body-field': { refused: false, ignored: true },
  'null-in-body': { accepted: true, refused: false },
  'unpublished-agent': { refused: false, null: true },
  'stored-v5': { 'as-v5': false, 'as-v6': true },
};
