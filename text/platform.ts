const names = [
  'Request',
  'Response',
  'TextEncoder',
  'TextDecoder',
  'ReadableStream',
  'ByteLengthQueuingStrategy',
] as const;

type Platform = Pick<typeof globalThis, (typeof names)[number]>;

/**
 * The Fetch, Encoding and Streams APIs of browsers and Node.js. Test environments such as jsdom hide those of Node.js,
 * so they are taken from the realm below.
 */
export const platform: Platform = names.every((name) => typeof globalThis[name] === 'function')
  ? globalThis
  : Object.assign(Object.create(beneath()) as Platform, shown());

/** The global object of Node.js itself, beneath that of another context. */
function beneath(): Platform {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  const vm = process?.getBuiltinModule?.('node:vm');
  return vm ? (vm.runInThisContext('globalThis') as Platform) : globalThis;
}

function shown(): Partial<Platform> {
  return Object.fromEntries(names.flatMap((name) => (name in globalThis ? [[name, globalThis[name]]] : [])));
}
