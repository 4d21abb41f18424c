/**
 * Every documented field and its type, written straight from the specification without looking at the schemas.
 *
 * Mock and judge share the schemas, so a slip there would hide itself; this table is the second pair of eyes.
 * It must never be generated from, nor corrected by looking at, `spec/schemas`: settle a disagreement in the text.
 *
 * How to read it:
 * - `path` is relative to the resource; `*` stands for any item of an array.
 * - `shape` says that the object has the fields of that resource, `items` does so for an array. Rows whose path lies
 *   below a `shape` are additional to it (`/chat/container/maxWidth` beside the style box).
 * - `required` and `optional` are set only where the text says so; a row with neither is silent on the matter.
 * - `known` is one value of an open set, `closed` is the whole set.
 */

export type PlainType = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'any' | 'string|null';

export type TranscribedResource =
  | 'agent-v6'
  | 'event'
  | 'group'
  | 'edge'
  | 'variable'
  | 'theme'
  | 'style-box'
  | 'settings'
  | 'comparison'
  | 'sharing'
  | 'results-table-preferences'
  | 'public-agent-v6'
  | 'result'
  | 'result-metadata'
  | 'answer'
  | 'workspace'
  | 'create-agent-request'
  | 'create-agent-response'
  | 'import-agent-request'
  | 'import-agent-response'
  | 'get-agent-response'
  | 'get-published-agent-response'
  | 'list-results-query'
  | 'list-results-response'
  | 'create-workspace-request'
  | 'create-workspace-response';

export interface TranscribedField {
  readonly section: string;
  readonly resource: TranscribedResource;
  readonly path: string;
  readonly type: PlainType;
  /** The object has the fields of this resource. */
  readonly shape?: TranscribedResource;
  /** The type of an array's items. */
  readonly items?: PlainType | TranscribedResource;
  /** The text offers this form as an alternative, and does not describe it. */
  readonly alternative?: 'agent-v5' | 'public-agent-v5';
  /** The text calls the object free-form. */
  readonly freeForm?: true;
  /** The text shows the object without fields here, although it has a shape elsewhere. */
  readonly shownEmpty?: true;
  readonly closed?: readonly string[];
  readonly known?: string;
  readonly required?: true;
  readonly optional?: true;
  /** The text marks the number as decimal. */
  readonly decimal?: true;
  /** The text calls the number integer-like (section 8). */
  readonly integerLike?: true;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number;
}

type Kind = Omit<TranscribedField, 'section' | 'resource' | 'path'>;

const string: Kind = { type: 'string' };
const number: Kind = { type: 'number' };
const boolean: Kind = { type: 'boolean' };
const object: Kind = { type: 'object' };
const decimal: Kind = { type: 'number', decimal: true };
const freeForm: Kind = { type: 'object', freeForm: true };
const shownEmpty: Kind = { type: 'object', shownEmpty: true };
const known = (value: string): Kind => ({ type: 'string', known: value });
const closed = (...values: string[]): Kind => ({ type: 'string', closed: values });
const shape = (resource: TranscribedResource): Kind => ({ type: 'object', shape: resource });
const array = (items: PlainType | TranscribedResource): Kind => ({ type: 'array', items });
const required = (kind: Kind): Kind => ({ ...kind, required: true });
const optional = (kind: Kind): Kind => ({ ...kind, optional: true });

const fields = (
  section: string,
  resource: TranscribedResource,
  kinds: Readonly<Record<string, Kind>>,
): readonly TranscribedField[] => Object.entries(kinds).map(([path, kind]) => ({ section, resource, path, ...kind }));

export const transcription: readonly TranscribedField[] = [
  ...fields('2.1', 'agent-v6', {
    '/version': closed('6'),
    '/id': string,
    '/name': string,
    '/events': array('event'),
    '/groups': array('group'),
    '/edges': array('edge'),
    '/variables': array('variable'),
    '/theme': shape('theme'),
    '/selectedThemeTemplateId': string,
    '/settings': shape('settings'),
    '/createdAt': string,
    '/updatedAt': string,
    '/publishedAt': string,
    '/isPublished': boolean,
    '/icon': string,
    '/description': string,
    '/publicId': string,
    '/customDomain': string,
    '/workspaceId': string,
    '/resultsTablePreferences': shape('results-table-preferences'),
    '/isArchived': boolean,
    '/isClosed': boolean,
    '/domainId': string,
    '/url': string,
    '/messagingAppCredentialsId': string,
    '/riskLevel': number,
    '/tags': array('string'),
    '/sharing': shape('sharing'),
    '/shareId': string,
  }),

  // The note on an agent's id says that responses carry it, so it is required there and not on `agent-v6` itself.
  // The note belongs to the version 6 table: it says nothing about a V5 agent, nor about the id of a public agent.
  ...fields('2.1', 'create-agent-response', { '/agent/id': required(string) }),
  ...fields('2.1', 'import-agent-response', { '/agent/id': required(string) }),
  ...fields('2.1', 'get-agent-response', { '/agent/id': required(string) }),

  ...fields('2.1', 'results-table-preferences', {
    '/columnsOrder': array('string'),
    '/columnsVisibility': freeForm,
    '/columnsWidth': freeForm,
  }),

  ...fields('2.2', 'event', {
    '/id': string,
    '/outgoingEdgeId': string,
    '/graphCoordinates': object,
    '/graphCoordinates/x': number,
    '/graphCoordinates/y': number,
    '/type': known('start'),
  }),

  ...fields('2.3', 'group', {
    '/id': string,
    '/title': string,
    '/graphCoordinates': object,
    '/graphCoordinates/x': number,
    '/graphCoordinates/y': number,
    '/blocks': array('any'),
  }),

  ...fields('2.4', 'edge', {
    '/id': string,
    '/from': object,
    '/from/blockId': string,
    '/from/itemId': string,
    '/to': object,
    '/to/groupId': string,
    '/to/blockId': string,
  }),

  ...fields('2.5', 'variable', {
    '/id': string,
    '/name': string,
    '/isSessionVariable': boolean,
    '/value': string,
  }),

  ...fields('2.6', 'theme', {
    '/general': object,
    '/general/font': string,
    '/general/background': object,
    '/general/background/type': known('Color'),
    '/general/background/content': string,
    '/general/progressBar': object,
    '/general/progressBar/isEnabled': boolean,
    '/general/progressBar/color': string,
    '/general/progressBar/backgroundColor': string,
    '/general/progressBar/placement': known('Top'),
    '/general/progressBar/thickness': number,
    '/general/progressBar/position': known('fixed'),
    '/chat': object,
    '/chat/container': shape('style-box'),
    '/chat/container/maxWidth': string,
    '/chat/container/maxHeight': string,
    '/chat/hostAvatar': object,
    '/chat/hostAvatar/isEnabled': boolean,
    '/chat/hostAvatar/url': string,
    '/chat/guestAvatar': object,
    '/chat/guestAvatar/isEnabled': boolean,
    '/chat/guestAvatar/url': string,
    '/chat/hostBubbles': shape('style-box'),
    '/chat/guestBubbles': shape('style-box'),
    '/chat/buttons': shape('style-box'),
    '/chat/inputs': shape('style-box'),
    '/chat/inputs/placeholderColor': string,
    '/chat/roundness': known('none'),
    '/chat/buttonsInput': object,
    '/chat/buttonsInput/layout': known('wrap'),
    '/customCss': string,
  }),

  // The specification spells `roundeness` and `customRoundeness` so, and says that names are exact.
  ...fields('2.6', 'style-box', {
    '/backgroundColor': string,
    '/color': string,
    '/blur': number,
    '/opacity': decimal,
    '/shadow': known('none'),
    '/border': object,
    '/border/thickness': number,
    '/border/color': string,
    '/border/roundeness': known('none'),
    '/border/customRoundeness': number,
    '/border/opacity': decimal,
  }),

  ...fields('2.7', 'settings', {
    '/general': object,
    '/general/isBrandingEnabled': boolean,
    '/general/isTypingEmulationEnabled': boolean,
    '/general/isInputPrefillEnabled': boolean,
    '/general/isHideQueryParamsEnabled': boolean,
    '/general/isNewResultOnRefreshEnabled': boolean,
    '/general/brandingText': string,
    '/general/brandingUrl': string,
    '/general/rememberUser': object,
    '/general/rememberUser/isEnabled': boolean,
    '/general/rememberUser/storage': known('session'),
    '/general/expiration': object,
    '/general/expiration/expiresAt': string,
    '/general/expiration/expiredUrl': string,
    '/general/expiration/expiredTitle': string,
    '/general/expiration/expiredMessage': string,
    '/typingEmulation': object,
    '/typingEmulation/enabled': boolean,
    '/typingEmulation/speed': number,
    '/typingEmulation/maxDelay': number,
    '/typingEmulation/delayBetweenBubbles': decimal,
    '/typingEmulation/isDisabledOnFirstMessage': boolean,
    '/metadata': object,
    '/metadata/title': string,
    '/metadata/description': string,
    '/metadata/imageUrl': string,
    '/metadata/favIconUrl': string,
    '/metadata/customHeadCode': string,
    '/metadata/tagManagerId': string,
    '/messagingApp': object,
    '/messagingApp/isEnabled': boolean,
    '/messagingApp/startCondition': object,
    '/messagingApp/startCondition/logicalOperator': known('OR'),
    '/messagingApp/startCondition/comparisons': array('comparison'),
    '/messagingApp/sessionExpiryTimeout': decimal,
    '/publicShare': object,
    '/publicShare/isEnabled': boolean,
    '/security': object,
    '/security/allowedOrigins': array('string'),
    '/security/password': string,
  }),

  ...fields('2.7', 'comparison', {
    '/id': string,
    '/comparisonOperator': known('Equal to'),
    '/value': string,
  }),

  // One request and two responses show the items of comparisons as objects without fields.
  ...fields('2.7', 'import-agent-request', {
    '/agent/settings/messagingApp/startCondition/comparisons/*': shownEmpty,
  }),
  ...fields('2.7', 'get-published-agent-response', {
    '/publicAgent/settings/messagingApp/startCondition/comparisons/*': shownEmpty,
  }),
  ...fields('2.7', 'get-agent-response', {
    '/agent/settings/messagingApp/startCondition/comparisons/*': shownEmpty,
  }),

  ...fields('2.8', 'sharing', {
    '/enabled': boolean,
    '/requirePassword': boolean,
    '/password': string,
    '/allowExport': boolean,
  }),

  ...fields('2.9', 'public-agent-v6', {
    '/id': string,
    '/name': string,
    '/version': closed('6'),
    '/createdAt': string,
    '/updatedAt': string,
    '/agentId': string,
    '/workspaceId': string,
    '/domain': string,
    '/domainId': string,
    '/publicId': string,
    '/url': string,
    '/groups': array('group'),
    '/events': array('event'),
    '/edges': array('edge'),
    '/variables': array('variable'),
    '/theme': shape('theme'),
    '/settings': shape('settings'),
  }),

  ...fields('2.10', 'result', {
    '/id': string,
    '/createdAt': string,
    '/updatedAt': string,
    '/agentId': string,
    '/workspaceId': string,
    '/variables': array('variable'),
    '/isCompleted': boolean,
    '/hasStarted': boolean,
    '/isArchived': boolean,
    '/lastChatSessionId': string,
    '/metadata': shape('result-metadata'),
    '/answers': array('answer'),
  }),

  ...fields('2.10', 'result-metadata', {
    '/ip': string,
    '/location': object,
    '/location/continent': string,
    '/location/country': string,
    '/location/region': string,
    '/location/city': string,
    '/location/latitude': string,
    '/location/longitude': string,
    '/location/hostingRegion': string,
    '/device': object,
    '/device/type': string,
    '/device/vendor': string,
    '/device/model': string,
    '/browser': object,
    '/browser/name': string,
    '/browser/version': string,
    '/os': object,
    '/os/name': string,
    '/os/version': string,
    '/url': string,
    '/bot': boolean,
    '/qr': boolean,
    '/referer': string,
  }),

  ...fields('2.10', 'answer', {
    '/createdAt': string,
    '/blockId': string,
    '/isSecure': boolean,
    '/content': string,
    '/attachedFileUrls': array('string'),
  }),

  ...fields('2.11', 'workspace', {
    '/id': string,
    '/createdAt': string,
    '/updatedAt': string,
    '/lastActivityAt': string,
    '/name': string,
    '/icon': string,
    '/slug': string,
    '/plan': known('HOBBY'),
    '/billingId': string,
    '/isSuspended': boolean,
    '/isPastDue': boolean,
    '/isVerified': boolean,
    '/billingCycleStart': number,
    '/paymentFailedAt': string,
    '/billingConnectId': string,
    '/chatUsage': number,
    '/redeemedCoupons': string,
    '/extras': array('string'),
    '/addons': array('string'),
  }),

  ...fields('4.1', 'create-agent-request', {
    '/workspaceId': string,
    '/agent': object,
    '/agent/name': string,
    '/agent/icon': string,
    '/agent/selectedThemeTemplateId': string,
    '/agent/groups': array('group'),
    '/agent/events': array('event'),
    '/agent/theme': shape('theme'),
    '/agent/settings': shape('settings'),
    '/agent/variables': array('variable'),
    '/agent/edges': array('edge'),
    '/agent/resultsTablePreferences': shape('results-table-preferences'),
    '/agent/publicId': string,
  }),

  // Here and in 4.2 the text names the response's agent without the word "required" that 4.3 to 4.6 use.
  ...fields('4.1', 'create-agent-response', { '/agent': shape('agent-v6') }),

  ...fields('4.2', 'import-agent-request', {
    '/workspaceId': string,
    '/agent': { type: 'object', alternative: 'agent-v5' },
    '/agent/version': closed('6'),
    '/agent/name': string,
    '/agent/events': array('event'),
    '/agent/groups': array('group'),
    '/agent/edges': array('edge'),
    '/agent/variables': array('variable'),
    '/agent/theme': shape('theme'),
    '/agent/settings': shape('settings'),
    '/agent/isPublished': boolean,
    '/agent/icon': string,
    '/agent/description': string,
    '/agent/tags': array('string'),
    '/agent/sharing': shape('sharing'),
    '/agent/shareId': string,
    '/agent/resultsTablePreferences': shape('results-table-preferences'),
    '/agent/selectedThemeTemplateId': string,
  }),

  ...fields('4.2', 'import-agent-response', { '/agent': shape('agent-v6') }),

  ...fields('4.3', 'get-agent-response', {
    '/agent': required({ ...shape('agent-v6'), alternative: 'agent-v5' }),
    '/currentUserMode': required(closed('guest', 'read', 'write')),
  }),

  ...fields('4.4', 'get-published-agent-response', {
    '/publicAgent': required({ ...shape('public-agent-v6'), alternative: 'public-agent-v5' }),
  }),

  // "integer-like" is from section 8, which repeats the bounds and the default.
  ...fields('4.5', 'list-results-query', {
    '/limit': optional({ type: 'number', integerLike: true, minimum: 1, maximum: 100, default: 50 }),
    '/cursor': optional(string),
    '/timeFilter': optional({
      ...closed('today', 'last7Days', 'last30Days', 'monthToDate', 'lastMonth', 'yearToDate', 'allTime'),
      default: 'last7Days',
    }),
    '/timeZone': optional(string),
    '/start': optional(string),
    '/end': optional(string),
    '/interval': optional(string),
  }),

  ...fields('4.5', 'list-results-response', {
    '/results': required(array('result')),
    '/nextCursor': required({ type: 'string|null' }),
  }),

  ...fields('4.6', 'create-workspace-request', {
    '/name': required(string),
    '/icon': optional(string),
    '/slug': optional(string),
  }),

  ...fields('4.6', 'create-workspace-response', { '/workspace': required(shape('workspace')) }),
];

/** Path parameters belong to no resource. Only two of the three are called required. */
export interface TranscribedPathParameter {
  readonly section: string;
  readonly path: string;
  readonly name: string;
  readonly type: PlainType;
  readonly required?: true;
}

export const transcribedPathParameters: readonly TranscribedPathParameter[] = [
  { section: '4.3', path: '/api/v1/agents/{agentId}', name: 'agentId', type: 'string', required: true },
  { section: '4.4', path: '/api/v1/agents/{agentId}/publishedAgent', name: 'agentId', type: 'string', required: true },
  { section: '4.5', path: '/api/v1/agents/{agentId}/results', name: 'agentId', type: 'string' },
];

/** Every numbered section of the specification, titled in our own words. */
export const documentedSections: readonly { readonly section: string; readonly title: string }[] = [
  { section: '1', title: 'Purpose and capabilities' },
  { section: '2', title: 'Data model' },
  { section: '2.1', title: 'The V6 agent' },
  { section: '2.2', title: 'Entry points of a flow' },
  { section: '2.3', title: 'Groups of blocks' },
  { section: '2.4', title: 'Links of a flow' },
  { section: '2.5', title: 'Variables of a flow' },
  { section: '2.6', title: 'Look of a conversation' },
  { section: '2.7', title: 'Behaviour of a conversation' },
  { section: '2.8', title: 'How an agent is shared' },
  { section: '2.9', title: 'The V6 form of a published agent' },
  { section: '2.10', title: 'Recorded sessions' },
  { section: '2.11', title: 'Workspaces' },
  { section: '2.12', title: 'What the data model leaves open' },
  { section: '3', title: 'State fields and access levels' },
  { section: '4', title: 'The operations' },
  { section: '4.1', title: 'Creating an agent' },
  { section: '4.2', title: 'Importing an agent' },
  { section: '4.3', title: 'Reading an agent' },
  { section: '4.4', title: 'Reading what an agent has published' },
  { section: '4.5', title: 'Listing what sessions have left' },
  { section: '4.6', title: 'Creating a workspace' },
  { section: '4.7', title: 'What the operations leave open' },
  { section: '5', title: 'Who may call' },
  { section: '6', title: 'Entry points are not notifications' },
  { section: '7', title: 'How failures look' },
  { section: '8', title: 'Bounds' },
  { section: '9', title: 'Versions of the interface and of agents' },
];
