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
 * so they are taken from the realm below. None is read before it is used: Node.js loads what is behind them then.
 */
export const platform: Platform = names.every((name) => name in globalThis) ? globalThis : fromBeneath(beneath());

/** The global object of Node.js itself, beneath that of another context. */
function beneath(): Platform {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  const vm = process?.getBuiltinModule?.('node:vm');
  if (vm) return vm.runInThisContext('globalThis') as Platform;
  return globalThis;
}

/**
 * What is shown here, and the rest from beneath. Each is read when it is used, and from the global object itself: Node.js 24
 * crashes where an object that inherits from it reads one.
 */
function fromBeneath(below: Platform): Platform {
  const read = (name: (typeof names)[number]): PropertyDescriptor => {
    const realm = name in globalThis ? globalThis : below;
    return { get: () => realm[name] };
  };
  return Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, read(name)]))) as Platform;
}
