import { appendFileSync, renameSync } from 'node:fs';
import type { Exchange } from '../../conformance/http/exchange.ts';
import { createHarWriter, ownOf, type HarWriterOptions } from '../../conformance/recording/write-har.ts';
import type { Secret } from '../../conformance/report/redact.ts';
import { visible } from '../../conformance/report/redact.ts';
import { checkWritable, writeFile } from '../files/files.ts';

/** Characters to collect before each write. */
const PIECE = 256 * 1024;

/** The recording of a run, under its name once it is complete. `secrets` may grow. @throws UsageError if it cannot be written */
export function createRecorder(file: string, secrets: readonly Secret[], how: HarWriterOptions = {}) {
  const label = `--record ${visible(file)}`;
  checkWritable(file, label);
  const temporary = `${file}.${process.pid}.tmp`;
  // Requests and answers are private.
  writeFile(label, temporary, '', { mode: 0o600 });
  let text = '';
  const flush = (): void => {
    appendFileSync(temporary, text);
    text = '';
  };
  const write = (piece: string): void => {
    text += piece;
    if (text.length > PIECE) flush();
  };
  const writer = createHarWriter(write, secrets, how);
  return {
    /** An exchange of our own run, with the body of its answer. */
    addExchange: (exchange: Exchange, body?: Uint8Array): void => {
      const { excerpt, sentAt, answer } = exchange;
      writer.add({
        request: excerpt.request,
        answer: answer && { status: answer.status, headers: answer.headers, body },
        sentAt,
        answeredAt: sentAt + excerpt.durationMs,
        own: ownOf(exchange),
      });
    },
    end(): void {
      writer.end();
      flush();
      renameSync(temporary, file);
    },
  };
}
