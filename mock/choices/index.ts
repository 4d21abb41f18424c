import { statusOfChoice, type ChoiceOf, type GapId, type Profile } from '../../spec/index.ts';
import * as access from './access.ts';
import * as agents from './agents.ts';
import { errorBody } from './error-body.ts';
import * as limits from './limits.ts';
import * as listing from './listing.ts';
import * as rendering from './rendering.ts';

/** The implementation of every choice of every gap; a gap or choice without one does not compile. */
export const choices = {
  ...statusOfChoice,
  'content-type': agents.contentType,
  'error-body': errorBody,
  'answer-content-type': rendering.answerContentType,
  'repeated-names': rendering.repeatedNames,
  'timestamp-format': rendering.timestampFormat,
  'identifier-format': rendering.identifierFormat,
  'absent-values': rendering.absentValues,
  'server-filled-fields': rendering.serverFilledFields,
  'version-field': rendering.versionField,
  'comparison-items': rendering.comparisonItems,
  'extra-fields': rendering.extraFields,
  'undocumented-fields-sent': agents.undocumentedFieldsSent,
  'mode-permissions': access.modePermissions,
  'bearer-case': access.bearerCase,
  'unpublished-agent': agents.unpublishedAgent,
  'public-agent-id': rendering.publicAgentId,
  'stored-v5': agents.storedV5,
  'import-v5': agents.importV5,
  'import-published': agents.importPublished,
  'import-server-fields': agents.importServerFields,
  'required-body-fields': agents.requiredBodyFields,
  'import-parts': agents.importParts,
  'unknown-workspace': agents.unknownWorkspace,
  'taken-public-id': agents.takenPublicId,
  'missing-workspace-name': agents.missingWorkspaceName,
  'equal-workspace-names': agents.equalWorkspaceNames,
  'mistyped-body-field': agents.mistypedBodyField,
  'null-in-body': agents.nullInBody,
  'limit-out-of-range': listing.limitOutOfRange,
  'limit-not-integer': listing.limitNotInteger,
  'unknown-time-filter': listing.unknownTimeFilter,
  'time-zone-format': listing.timeZoneFormat,
  'default-time-zone': listing.defaultTimeZone,
  'window-edges': listing.windowEdges,
  'start-end-with-filter': listing.startEndWithFilter,
  'end-edge': listing.endEdge,
  'date-format': listing.dateFormat,
  'interval-meaning': listing.intervalMeaning,
  'duplicate-parameters': listing.duplicateParameters,
  'unknown-parameters': listing.unknownParameters,
  'malformed-cursor': listing.malformedCursor,
  'foreign-cursor': listing.foreignCursor,
  'last-page': listing.lastPage,
  'page-filling': listing.pageFilling,
  'results-while-reading': listing.resultsWhileReading,
  'listed-results': listing.listedResults,
  'results-of-unknown-agent': listing.resultsOfUnknownAgent,
  'rate-limit': limits.rateLimit,
  'body-limit': limits.bodyLimit,
  'nesting-limit': limits.nestingLimit,
} satisfies { readonly [G in GapId]: Readonly<Record<ChoiceOf<G>, unknown>> };

type Choices = typeof choices;

/** The choice of `profile` for `gap`. */
export function chosen<G extends GapId>(profile: Pick<Profile, NoInfer<G>>, gap: G): Choices[G][keyof Choices[G]] {
  const ofGap: Choices[G] = choices[gap];
  return ofGap[profile[gap] as unknown as keyof Choices[G]];
}
