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
export const platform: Platform = names.every((name) => name in globalThis) ? globalThis : withThoseBeneath();

/**
 * What is shown here, and the rest from the global object of Node.js itself, beneath that of another context. Each is read when it
 * is used, and from the global object itself: Node.js 24 crashes where an object that inherits from it reads one.
 */
function withThoseBeneath(): Platform {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  const vm = process?.getBuiltinModule?.('node:vm');
  const beneath = vm?.runInThisContext('globalThis') as Platform | undefined;
  const read = names.map((name) => {
    const realm = name in globalThis ? globalThis : beneath;
    return [name, { get: () => realm?.[name] }] as const;
  });
  return Object.defineProperties({}, Object.fromEntries(read)) as Platform;
}
