/** What HTTP leaves to the sender. All values of a name mean the same; the first is what most clients send. */
export const forms = {
  /** The codings in which an answer may come. */
  codings: ['usual', 'gzip', 'identity', 'none'],
  order: ['usual', 'reversed'],
  /** Percent-encoding in the query: of no more than needed, of one character more, or with digits in lower case. */
  percent: ['usual', 'needless', 'lower'],
  /** How the body goes out: in one piece, in chunks without its length, or in two parts with a pause between. */
  body: ['usual', 'chunked', 'slow'],
  connection: ['usual', 'new'],
  pause: ['usual', 'before'],
  version: ['usual', '1.0'],
} as const;

export type FormName = keyof typeof forms;
/** The form of a request. What is missing is usual. */
export type Form = { readonly [N in FormName]?: (typeof forms)[N][number] };

const accepted = { usual: 'gzip, deflate, br', gzip: 'gzip', identity: 'identity', none: undefined } as const;

/** The value of Accept-Encoding; `undefined` sends none. */
export const codingsOf = ({ codings = 'usual' }: Form): string | undefined => accepted[codings];

const itemsOf = (list: string): readonly string[] => list.toLowerCase().split(/\s*,\s*/);

/** Whether a request with this Accept-Encoding accepts these codings (RFC 9110, 12.5.3). Without it, all are accepted. */
export function acceptsCodings(wanted: string | undefined, codings: string): boolean {
  const items = itemsOf(wanted ?? '*').map((item) => item.split(/\s*;\s*/));
  const named = new Map(items.map(([name = '', weight = '']) => [name, !/^q=0(?:\.0*)?$/.test(weight)]));
  return itemsOf(codings).every(
    (coding) => coding === '' || coding === 'identity' || (named.get(coding) ?? named.get('*') ?? false),
  );
}

export function fieldsOf(form: Form): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  const codings = codingsOf(form);
  if (codings !== undefined && codings !== accepted.usual) fields['accept-encoding'] = codings;
  if (form.body === 'chunked') fields['transfer-encoding'] = 'chunked';
  if (form.connection === 'new') fields['connection'] = 'close';
  return fields;
}

export const FORM_FIELDS: ReadonlySet<string> = new Set(['accept-encoding', 'transfer-encoding', 'connection']);

/** The form that {@link fieldsOf} shows. */
export function formOf(fields: Readonly<Record<string, string>>): Form {
  const codings = forms.codings.find((name) => accepted[name] === fields['accept-encoding']) ?? 'usual';
  return {
    codings: codings === 'none' ? 'usual' : codings,
    body: fields['transfer-encoding'] === 'chunked' ? 'chunked' : 'usual',
    connection: fields['connection'] === 'close' ? 'new' : 'usual',
  };
}
