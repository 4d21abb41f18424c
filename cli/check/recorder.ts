import { appendFileSync, renameSync } from 'node:fs';
import type { Exchange } from '../../conformance/http/exchange.ts';
import { createPersonal } from '../../conformance/recording/personal.ts';
import { createHarWriter, ownOf } from '../../conformance/recording/write-har.ts';
import { recordedSecrets, type RunOptions } from '../../conformance/run-options.ts';
import { visible } from '../../text/visible.ts';
import type { Cli } from '../command.ts';
import { checkWritable, writeFile } from '../files/files.ts';

/** The recording of a run, under its name once it is complete. @throws UsageError if it cannot be written */
export function createRecorder(file: string, { canary, clean }: Cli, options: RunOptions, hidesPersonal: boolean) {
  const label = `--record ${visible(file)}`;
  checkWritable(file, label);
  const temporary = `${file}.${process.pid}.tmp`;
  // Requests and answers are private.
  writeFile(label, temporary, '', { mode: 0o600 });
  const { workspaceId, agentId, publishedAgentId, v5AgentId } = options;
  const writer = createHarWriter((piece) => appendFileSync(temporary, piece), [...recordedSecrets(options), canary], {
    run: { target: { workspaceId, agentId, publishedAgentId, v5AgentId } },
    guard: clean,
    personal: hidesPersonal ? createPersonal() : undefined,
  });
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
      renameSync(temporary, file);
    },
  };
}
