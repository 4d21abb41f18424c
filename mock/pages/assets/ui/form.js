// Buttons, forms and editors for operations of the admin API, made from its OpenAPI document.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Field, html, Select, submit, useApp } from './elements.js';
import { counted, jsonText } from './format.js';
import { nearestOffset, placeOf, readJson } from './json-places.js';

/** Every operation of the document by its id: method, path, summary, and the schema of its body. */
export function operationsOf({ paths }) {
  const operations = {};
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { operationId, summary, requestBody }] of Object.entries(methods)) {
      const schema = requestBody?.content['application/json'].schema;
      operations[operationId] = { method: method.toUpperCase(), path, summary, schema };
    }
  return operations;
}

const NAME = /\{(\w+)\}/g;

/** `params` are those of its path; `question` is put before data is lost; `done` is a message, or makes one of the answer. */
function useOperation({ id, params = {}, question, done, after }) {
  const { operations, api, act } = useApp();
  const { method, path, summary, schema } = operations[id];
  const send = (body, names = params, query = '') => {
    const target = path.replace('/__admin', '').replace(NAME, (_, name) => encodeURIComponent(names[name]));
    return api.call(method, target + query, schema && body);
  };
  const call = async (body, names) => {
    if (question && !confirm(question)) return;
    const answer = await act(() => send(body, names), done ?? `Done: ${summary.toLowerCase()}.`);
    if (answer) after?.(answer);
  };
  const missing = [...path.matchAll(NAME)].map(([, name]) => name).filter((name) => !(name in params));
  return { call, send, missing, summary, schema };
}

export function OperationButton({ body, verb, label, kind, disabled, ...operation }) {
  const { call, summary } = useOperation(operation);
  const shown = { class: kind, title: summary, disabled, 'aria-label': label };
  return html`<button type="button" ...${shown} onClick=${() => call(body)}>${verb}</button>`;
}

/** `only` names the shown members. `options` by member, and `choices` by parameter, are pairs of a value and its title. */
export function OperationForm({ value = {}, only, options, choices = {}, examples = {}, title, verb, ...operation }) {
  const { call, missing, summary, schema } = useOperation(operation);
  const [draft, setDraft] = useState(value);
  const firsts = Object.entries(choices).map(([name, [[choice]]]) => [name, choice]);
  const [names, setNames] = useState({ ...Object.fromEntries(firsts), ...operation.params });
  const text = { type: 'string' };
  const members = html`<${Members} ...${{ schema, only, options }} value=${draft} change=${setDraft} />`;
  return html`<form class="card" onSubmit=${submit(() => call(draft, names))}>
    <h2>${title ?? summary}</h2>
    <div class="chips">
      ${Object.entries(examples).map(
        ([name, body]) => html`<button type="button" onClick=${() => setDraft(body)}>${name}</button>`,
      )}
    </div>
    <div class="fields">
      ${missing.map(
        (name) =>
          html`<${Control}
            name=${name}
            schema=${text}
            options=${choices[name]}
            value=${names[name]}
            isRequired
            change=${(next) => setNames({ ...names, [name]: next })}
          />`,
      )}
      ${schema && members}
    </div>
    <div class="actions"><button class="strong">${verb}</button></div>
  </form>`;
}

function Members({ schema, value, change, only, options }) {
  const { properties, required = [] } = schema;
  const set = (name) => (next) => {
    const { [name]: _, ...others } = value;
    change(next === undefined ? others : { ...others, [name]: next });
  };
  const names = Object.keys(properties).filter((name) => properties[name].const === undefined);
  return (only ?? names).map(
    (name) =>
      html`<${Control}
        key=${name}
        name=${name}
        schema=${properties[name]}
        value=${value[name]}
        isRequired=${required.includes(name)}
        options=${options?.[name]}
        change=${set(name)}
      />`,
  );
}

/** One value, edited as its schema says; `change(undefined)` leaves it out. */
function Control({ name, schema, value, change, isRequired, options }) {
  const { title, description, anyOf, items, properties } = schema;
  // `retryAfter` is "Retry after".
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const label = title ?? words.charAt(0).toUpperCase() + words.slice(1);
  if (anyOf) return html`<${Alternatives} ...${{ label, schema, value, change }} />`;
  if (items) return html`<${List} ...${{ label, items, value, change }} />`;
  if (properties) {
    const part = { schema, value: value ?? {} };
    return html`<${Members} ...${part} change=${(next) => change(Object.keys(next).length > 0 ? next : undefined)} />`;
  }
  const choices = options ?? schema.enum?.map((choice) => [choice, choice]);
  const control = inputFor({ name, schema, value, change, isRequired, choices });
  // The schema tells how to write a date, which the browser does.
  const hint = schema.format === 'date-time' ? 'In UTC.' : description;
  return html`<${Field} label=${label} hint=${hint}>${control}<//>`;
}

/** Stands for a choice that is not made; the empty text may be a choice. */
const NONE = '–';

function inputFor({ name, schema, value, change, isRequired, choices }) {
  const { type, format, minimum, exclusiveMinimum, maximum, pattern } = schema;
  if (choices) {
    const all = isRequired ? choices : [[NONE, NONE], ...choices];
    const shown = { name, options: all, value: value ?? NONE };
    return html`<${Select} ...${shown} choose=${(chosen) => change(chosen === NONE ? undefined : chosen)} />`;
  }
  const set = ({ target: { value: text, checked } }) => {
    if (type === 'boolean') change(checked || undefined);
    else if (text === '') change(isRequired && type === 'string' ? text : undefined);
    else if (format === 'date-time') change(`${text}Z`);
    else change(type === 'string' ? text : Number(text));
  };
  if (type === 'boolean') return html`<input type="checkbox" checked=${value} onChange=${set} />`;
  const base = { name, required: isRequired, value: value ?? '', autocomplete: 'off', spellcheck: false, onInput: set };
  if (format === 'date-time') {
    const shown = value?.replace(/(?:\.\d+)?Z$/, '');
    return html`<input type="datetime-local" step="1" ...${base} value=${shown} />`;
  }
  if (type === 'string') return html`<input ...${base} pattern=${pattern} />`;
  const limits = { min: minimum ?? exclusiveMinimum, max: maximum, step: type === 'integer' ? 1 : 'any' };
  return html`<input type="number" ...${base} ...${limits} />`;
}

/** A choice between null and schemas of objects, and the members of the chosen one. */
function Alternatives({ label, schema: { anyOf, description }, value, change }) {
  const kindOf = ({ type, title, properties }) => (type === 'null' ? 'off' : (title ?? properties.type.const));
  const chosen = value ? anyOf.find((one) => one.properties && (one.title || kindOf(one) === value.type)) : undefined;
  const choose = (kind) => {
    const { properties } = anyOf.find((one) => kindOf(one) === kind);
    const members = Object.entries(properties ?? {}).map(([name, member]) => [name, member.const ?? member.default]);
    change(properties ? Object.fromEntries(members) : null);
  };
  const options = anyOf.map(kindOf).map((kind) => [kind, kind]);
  return html`<${Field} label=${label} hint=${description}>
      <${Select} options=${options} value=${chosen ? kindOf(chosen) : 'off'} choose=${choose} />
    <//>
    ${chosen && html`<${Members} schema=${chosen} value=${value} change=${change} />`}`;
}

function List({ label, items, value = [], change }) {
  return html`<fieldset class="items">
    <legend>${label}</legend>
    ${value.map(
      (item, i) =>
        html`<div class="card fields">
          <${Members} schema=${items} value=${item} change=${(next) => change(value.with(i, next))} />
          <button type="button" class="plain" onClick=${() => change(value.toSpliced(i, 1))}>Remove</button>
        </div>`,
    )}
    <button type="button" class="plain" onClick=${() => change([...value, {}])}>Add one</button>
  </fieldset>`;
}

const CHECKED_AFTER = 300;

/** An operation checks and saves the JSON of an `agent`, or another such thing. With a `verb` it may be saved unchanged. */
export function Editor({ of, value, verb, ...operation }) {
  const { call, send, schema } = useOperation({ done: `The ${of} is changed.`, ...operation });
  // One value, or a list of them.
  const [place, bodyOf] = schema.properties[of]
    ? [`/${of}`, (edited) => ({ [of]: edited })]
    : [`/${of}s/0`, (edited) => ({ [`${of}s`]: [edited] })];
  const [first] = useState(() => jsonText(value));
  const [text, setText] = useState(first);
  const [checked, setChecked] = useState({ text: first, errors: [] });
  const area = useRef();
  const [top, setTop] = useState(0);
  const errorsOf = async () => {
    try {
      const { value: edited, offsets } = readObject(text);
      // The place is that in the request, which holds the edited value in a member.
      const { errors } = await send(bodyOf(edited), operation.params, '?check=true');
      return errors.map((error) => ({ ...error, offset: nearestOffset(offsets, error.at.replace(place, '')) }));
    } catch ({ message, offset }) {
      return [{ at: '', message, offset }];
    }
  };
  useEffect(() => {
    if (text === checked.text) return;
    let isLatest = true;
    const check = async () => {
      const errors = await errorsOf();
      if (isLatest) setChecked({ text, errors });
    };
    const timer = setTimeout(() => void check(), CHECKED_AFTER);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [text]);
  const isValid = checked.text === text && checked.errors.length === 0;
  const isReady = isValid && (verb !== undefined || text !== first);
  const show = (offset) => {
    const { line } = placeOf(text, offset);
    area.current.focus();
    area.current.setSelectionRange(offset, offset + (/^.*/.exec(text.slice(offset))?.[0].length ?? 0));
    area.current.scrollTop = (line - 4) * (area.current.scrollHeight / text.split('\n').length);
  };
  const marked = new Set(checked.errors.map(({ offset = 0 }) => placeOf(text, offset).line));
  return html`<form class="editor" onSubmit=${submit(() => call(bodyOf(readObject(text).value)))}>
    <div class="lined">
      <ol aria-hidden="true" style=${{ top: `${-top}px` }}>
        ${text.split('\n').map((_, i) => html`<li class=${marked.has(i + 1) && 'bad'}>${i + 1}</li>`)}
      </ol>
      <textarea
        ref=${area}
        rows="24"
        spellcheck=${false}
        aria-label=${`The ${of} as JSON`}
        value=${text}
        onInput=${({ target }) => setText(target.value)}
        onScroll=${({ target }) => setTop(target.scrollTop)}
      />
    </div>
    <div class="errors" role="status"><${Errors} text=${text} errors=${checked.errors} show=${show} /></div>
    <div class="actions">
      <button disabled=${!isReady}>${verb ?? 'Save'}</button>
      <button type="button" onClick=${() => setText(first)}>As it was</button>
    </div>
  </form>`;
}

/** The object in a text. @throws Error with `offset` if there is none */
function readObject(text) {
  const read = readJson(text);
  const { value } = read;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return read;
  throw Object.assign(new Error('This is JSON, but not an object.'), { offset: 0 });
}

function Errors({ text, errors, show }) {
  if (errors.length === 0) return html`<p><b>It is valid.</b> It matches its schema.</p>`;
  return html`<p><b>${counted(errors.length, 'error')}</b></p>
    <ul>
      ${errors.map(
        ({ at, expected, actual, message, offset = 0 }) =>
          html`<li class="bad">
            <button type="button" class="link" onClick=${() => show(offset)}>Line ${placeOf(text, offset).line}</button>
            ${at && html` <code>${at}</code>`} ${message ?? `must be ${expected}; it is ${actual}`}
          </li>`,
      )}
    </ul>`;
}
