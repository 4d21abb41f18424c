import type { MockRequest } from '../call.ts';

/** What a host says of the others beside a request; read when the request is answered. */
export type OnHost = Required<Pick<MockRequest, 'underWay' | 'keptConnection'>>;

/** The requests that are under way on a host, and the connections on which they come. */
export interface Connections {
  /**
   * A request has begun, on a socket where there are any; without, on a connection whose answer has come, or else on a
   * new one. `end` is to be called once, when the answer has been sent.
   */
  begin(socket?: object): OnHost & { readonly end: () => void };
}

export function createConnections(): Connections {
  const known = new WeakSet<object>();
  let underWay = 0;
  let free = 0;
  return {
    begin(socket) {
      const keptConnection = socket === undefined ? free > 0 : known.has(socket);
      if (socket !== undefined) known.add(socket);
      else if (keptConnection) free--;
      underWay++;
      return {
        get underWay() {
          return underWay - 1;
        },
        keptConnection,
        end() {
          underWay--;
          if (socket === undefined) free++;
        },
      };
    },
  };
}
