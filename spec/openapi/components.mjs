/**
 * The schemas as components of an OpenAPI document. They accept and refuse the same data as spec/schemas, in a form
 * that client generators understand: one written-out schema for each thing. What they cannot express is in a keyword
 * that generators ignore.
 */

export const URN = 'urn:agent-contract:';
const OVERLAY = `${URN}comparisons-in-full`;

/** The TypeScript name of a schema. Without it, two of them would hide a global. */
export function typeName(schemaName) {
  if (schemaName === 'event') return 'FlowEvent';
  if (schemaName === 'result') return 'ConversationResult';
  return schemaName.replace(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase());
}

/** The name of a schema's component. Generators have an own use for the name of an operation with "Response". */
const componentName = (schemaName) => typeName(schemaName.replace(/(?<!-in)-response$/, '-answer'));

export const refTo = (name) => ({ $ref: `#/components/schemas/${componentName(name)}` });

/** The name of the schema that a reference leads to. */
export function nameIn(ref) {
  if (!ref.startsWith(URN)) throw new Error(`${ref} does not begin with ${URN}`);
  return ref.slice(URN.length);
}

/**
 * The components that schemas need, in alphabetical order.
 *
 * @param {Map<string, object>} schemas by name
 * @param {string[]} roots the names of those that the operations refer to
 */
export function componentsOf(schemas, roots) {
  const found = new Map();
  const visit = (name) => {
    if (found.has(name)) return;
    const component = asComponent(schemas.get(name), schemas);
    found.set(name, component);
    for (const next of namesIn(component)) visit([...schemas.keys()].find((one) => componentName(one) === next));
  };
  for (const name of roots) visit(name);
  const named = [...found].map(([name, component]) => [componentName(name), component]);
  return Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function* namesIn(node) {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === '$ref') yield value.slice(value.lastIndexOf('/') + 1);
    else yield* namesIn(value);
  }
}

function asComponent(node, schemas) {
  if (Array.isArray(node)) return node.map((item) => asComponent(item, schemas));
  if (typeof node !== 'object' || node === null) return node;
  if (node.$ref) return { ...node, ...refTo(nameIn(node.$ref)) };
  const { 'x-full-form': fullForm, allOf, properties, ...rest } = writtenOut(node, schemas);
  const result = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, asComponent(value, schemas)]));
  delete result.$id;
  delete result.$schema;
  // Generators fail on a boolean schema.
  if (rest.items === true) result.items = {};
  // The forms of a union declare themselves as objects.
  if (rest.anyOf) delete result.type;
  const forms = rest.anyOf && formsByVersion(rest.anyOf, schemas);
  if (forms) delete result.anyOf;
  const parts = (allOf ?? []).filter(({ $ref }) => $ref !== OVERLAY);
  if (parts.length > 0) result.allOf = parts.map((part) => asComponent(part, schemas));
  if (properties) result.properties = propertiesOf(properties, schemas);
  if (fullForm) result.properties = untyped(schemas.get(nameIn(fullForm)).properties);
  if (allOf?.some(({ $ref }) => $ref === OVERLAY))
    Object.assign(result, { dependentSchemas: { settings: overlay(schemas) }, ...OPEN });
  if (result.type === 'object') result.additionalProperties = true;
  return { ...result, ...forms };
}

/**
 * A union of forms, one of which has a constant version: exactly one of them fits, and a discriminator lets generators narrow
 * types by the version. It accepts and refuses what `anyOf` does, since the other form is open and excludes that version.
 */
function formsByVersion(anyOf, schemas) {
  const names = anyOf.map(({ $ref }) => $ref && nameIn($ref));
  const older = names.find((name) => /-v\d+$/.test(name) && schemas.get(name).properties.version.not);
  const form = names.find((name) => name !== older);
  if (names.length !== 2 || older === undefined) return undefined;
  const { const: version } = schemas.get(older).properties.version.not;
  const [, assumed] = /-v(\d+)$/.exec(older);
  return {
    oneOf: [{ ...refTo(form), required: ['version'] }, refTo(older)],
    discriminator: { propertyName: 'version', mapping: { [version]: refTo(form).$ref, [assumed]: refTo(older).$ref } },
    'x-assumes':
      `Types that are generated from the discriminator give every form other than ${version} the version "${assumed}". ` +
      'The specification shows no other, and validators ignore the discriminator.',
  };
}

const propertiesOf = (properties, schemas) =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, asComponent(property, schemas)]));

/**
 * A schema that only adds requirements to another, with the other's properties as its own: generators lose one or the
 * other.
 */
function writtenOut(node, schemas) {
  if (!node.allOf || !node.required || node.properties) return node;
  const [{ $ref }, ...others] = node.allOf;
  if (others.length > 0) throw new Error(`${node.$id} demands more of several schemas at once`);
  const { allOf: _allOf, ...rest } = node;
  return { ...rest, properties: schemas.get(nameIn($ref)).properties };
}

/** Fields that are shown without their types. */
const untyped = (properties) =>
  Object.fromEntries(Object.entries(properties).map(([name, { type: _type, ...says }]) => [name, says]));

/** Says to linters what holds anyway, in a keyword that generators ignore. */
const OPEN = { unevaluatedProperties: true };

/**
 * The requirements on comparisons whose fields are documented. Settings have one schema, in which a comparison is any
 * object. This part stands beside it, in a keyword that validators obey and client generators ignore. It repeats no
 * types on the path, since the settings have them.
 */
function overlay(schemas) {
  const { properties } = schemas.get(nameIn(OVERLAY));
  const bare = (node) => {
    if (node.$ref) return refTo(nameIn(node.$ref));
    const children = Object.entries(node.properties ?? {}).map(([name, child]) => [name, bare(child)]);
    if (node.items) return { items: bare(node.items) };
    return { properties: Object.fromEntries(children), ...OPEN };
  };
  return { properties: { settings: bare(properties.settings) }, ...OPEN };
}
