import type { ServerResponse } from 'node:http';
import { sendGuarded } from './deliver.ts';
import type { Journal } from './session/journal.ts';

/** Milliseconds between signs of life, so that nothing on the way thinks that the stream is dead. */
const HEARTBEAT = 15_000;

/** Sends each exchange as it is recorded, as server-sent events named `request`, until the client goes. */
export function streamJournal(journal: Journal, response: ServerResponse): void {
  response.setHeader('content-type', 'text/event-stream; charset=utf-8').setHeader('cache-control', 'no-store');
  response.write(': connected\n\n');
  const send = (text: () => string): void =>
    sendGuarded(response, () => void (response.writable && response.write(text())));
  const unsubscribe = journal.subscribe((entry) =>
    send(() => `id: ${entry.id}\nevent: request\ndata: ${JSON.stringify(entry)}\n\n`),
  );
  const timer = setInterval(() => send(() => ': alive\n\n'), HEARTBEAT);
  timer.unref();
  response.once('close', () => {
    clearInterval(timer);
    unsubscribe();
  });
}
