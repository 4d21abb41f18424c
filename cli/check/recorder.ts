import { closeSync, openSync, renameSync, writeSync } from 'node:fs';
import type { Exchange } from '../../conformance/http/exchange.ts';
import { createHarWriter, ownOf, type Recorded, type RecordedRun } from '../../conformance/recording/write-har.ts';
import type { Secret } from '../../conformance/report/redact.ts';
import { visible } from '../../conformance/report/redact.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { codeOf } from '../errors.ts';
import { checkWritable } from '../files/report-files.ts';

/** Writes a recording while exchanges arrive; the file gets its final name when it is complete. */
export interface Recorder {
  add(recorded: Recorded): void;
  /** An exchange of our own run, with the body of its answer. */
  addExchange(exchange: Exchange, body?: Uint8Array): void;
  end(): void;
}

/** Characters to collect before each write. */
const PIECE = 256 * 1024;

/** @param secrets more may be added while writing. @throws UsageError if the file cannot be written. */
export function createRecorder(file: string, secrets: readonly Secret[], run?: RecordedRun): Recorder {
  checkWritable(file, `--record ${visible(file)}`);
  const temporary = `${file}.${process.pid}.tmp`;
  const target = opened(temporary, file);
  let text = '';
  const flush = (): void => {
    writeSync(target, text);
    text = '';
  };
  const writer = createHarWriter(
    (piece) => {
      text += piece;
      if (text.length > PIECE) flush();
    },
    secrets,
    run,
  );
  return {
    add: (recorded) => writer.add(recorded),
    addExchange(exchange, body) {
      const { excerpt, sentAt, answer } = exchange;
      writer.add({
        request: excerpt.request,
        answer: answer && { status: answer.status, headers: answer.headers, body },
        sentAt,
        answeredAt: sentAt + excerpt.durationMs,
        own: ownOf(exchange),
      });
    },
    end() {
      writer.end();
      flush();
      closeSync(target);
      renameSync(temporary, file);
    },
  };
}

function opened(temporary: string, file: string): number {
  try {
    // Requests and answers are private.
    return openSync(temporary, 'w', 0o600);
  } catch (error) {
    throw new UsageError(`--record ${visible(file)}: this cannot be written (${codeOf(error)}).`, { cause: error });
  }
}
