export type BodyBuffer = ReturnType<typeof createBodyBuffer>;

/** Keeps the pieces of a body while they are within a limit. @param most the largest body, in bytes. */
export function createBodyBuffer(most: number) {
  let pieces: Uint8Array[] | undefined = [];
  let size = 0;
  return {
    add: (piece: Uint8Array): void => {
      size += piece.byteLength;
      if (size > most) pieces = undefined;
      pieces?.push(piece);
    },
    /** As they came; `undefined` if there were too many. */
    get pieces(): readonly Uint8Array[] | undefined {
      return pieces;
    },
    /** `undefined` if there were too many. */
    bytes(): Uint8Array | undefined {
      if (pieces === undefined || pieces.length === 1) return pieces?.[0];
      const bytes = new Uint8Array(size);
      let at = 0;
      for (const piece of pieces) {
        bytes.set(piece, at);
        at += piece.byteLength;
      }
      return bytes;
    },
  };
}

/** Reads a body; `undefined` if it is larger than `most` bytes: it then stops reading, which ends a connection. */
export async function readBody(pieces: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array | undefined> {
  const buffer = createBodyBuffer(most);
  for await (const piece of pieces) {
    buffer.add(piece);
    if (buffer.pieces === undefined) return undefined;
  }
  return buffer.bytes();
}
