import type { MockRequest } from './call.ts';

/** What a request says of the others on its host. */
type OnHost = Required<Pick<MockRequest, 'underWay' | 'keptConnection'>>;

/** Requests under way on a host, and the connections that they come on. */
export interface Connections {
  /** `end` must be called once, when the answer has been sent. */
  begin(): OnHost & { readonly end: () => void };
}

/**
 * A host without sockets: a client keeps a connection when its answer has come, and takes one that is free before it
 * opens another.
 */
export function createConnections(): Connections {
  let underWay = 0;
  let free = 0;
  return {
    begin() {
      const on = {
        // Read when the request is answered, which may be after others have begun.
        get underWay() {
          return underWay - 1;
        },
        keptConnection: free > 0,
        end() {
          underWay--;
          free++;
        },
      };
      if (free > 0) free--;
      underWay++;
      return on;
    },
  };
}

/** The same of sockets: `socket` stands for the connection. */
export function createSocketConnections(): { begin(socket: object): OnHost & { readonly end: () => void } } {
  const known = new WeakSet<object>();
  let underWay = 0;
  return {
    begin(socket) {
      const keptConnection = known.has(socket);
      known.add(socket);
      underWay++;
      return {
        get underWay() {
          return underWay - 1;
        },
        keptConnection,
        end: () => void underWay--,
      };
    },
  };
}
