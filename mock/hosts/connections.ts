export function createConnections() {
  const known = new WeakSet<object>();
  let underWay = 0;
  let free = 0;
  return {
    /** Registers a request on its socket, or on a virtual connection. Call `end` once, when the answer has been sent. */
    begin(socket?: object) {
      const keptConnection = socket === undefined ? free > 0 : known.has(socket);
      if (socket !== undefined) known.add(socket);
      else if (keptConnection) free--;
      underWay++;
      return {
        onHost: () => ({ underWay: underWay - 1, keptConnection }),
        end: (): void => {
          underWay--;
          if (socket === undefined) free++;
        },
      };
    },
  };
}
