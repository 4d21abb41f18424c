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
 * What browsers and Node.js have of the Fetch, Encoding and Streams standards. Test environments such as jsdom hide what
 * Node.js has of it from what runs in them; there it is taken from beneath.
 */
export const platform: Platform = names.every((name) => typeof globalThis[name] === 'function')
  ? globalThis
  : Object.assign(Object.create(beneath()) as Platform, shown());

/** The global object of Node.js itself, which another context may lie over. */
function beneath(): Platform {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  const vm = process?.getBuiltinModule?.('node:vm');
  return vm ? (vm.runInThisContext('globalThis') as Platform) : globalThis;
}

function shown(): Partial<Platform> {
  return Object.fromEntries(names.flatMap((name) => (name in globalThis ? [[name, globalThis[name]]] : [])));
}
