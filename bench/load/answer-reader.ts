const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/**
 * Finds the ends of answers, by content-length or by the last chunk. `onAnswer` gets the status, the body size, and
 * whether the server closes the connection afterwards.
 */
export function answerReader(
  onAnswer: (status: number, length: number, isLast: boolean) => void,
): (data: Buffer) => void {
  let head = '';
  let status = 0;
  let length = 0;
  let missing = -1;
  let isChunked = false;
  let isLast = false;
  let tail: Buffer = Buffer.alloc(0);
  const ended = (): void => {
    head = '';
    missing = -1;
    isChunked = false;
    tail = Buffer.alloc(0);
    onAnswer(status, length, isLast);
  };
  return (data) => {
    let rest = data;
    if (missing < 0 && !isChunked) {
      const before = head.length;
      head += data.toString('latin1');
      const end = head.indexOf(HEAD_END);
      if (end < 0) return;
      rest = data.subarray(end + HEAD_END.length - before);
      status = Number(head.slice(9, 12));
      const found = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end + 2));
      isChunked = found === null && /\r\ntransfer-encoding: *chunked/i.test(head.slice(0, end + 2));
      isLast = /\r\nconnection: *close/i.test(head.slice(0, end + 2));
      length = isChunked ? 0 : Number(found?.[1] ?? 0);
      missing = isChunked ? -1 : length;
    }
    if (isChunked) {
      length += rest.length;
      tail = Buffer.concat([tail, rest]).subarray(-LAST_CHUNK.length);
      if (tail.equals(LAST_CHUNK)) ended();
      return;
    }
    missing -= rest.length;
    if (missing <= 0) ended();
  };
}
