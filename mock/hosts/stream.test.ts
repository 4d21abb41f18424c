import { served } from '../../http/testing/test-server.ts';
import { MOST_WAITING } from '../../http/event-stream.ts';
import { streamJournal } from './stream.ts';
import { testMock } from '../testing/test-client.ts';

test('drops a reader that does not read, and buffers no more than the limit for it', () => {
  const { mock, call } = testMock();
  let isDropped = false;
  const reader = {
    writableLength: 0,
    write: (text: string) => (reader.writableLength += text.length),
    end: () => {},
    destroy() {
      isDropped = true;
      stop();
    },
  };
  const stop = streamJournal(mock, '', reader);
  for (let sent = 0; sent < 500; sent++)
    call(`/api/v1/agents/${mock.target.agentId}/results?timeFilter=allTime&limit=100`);
  expect(isDropped).toBe(true);
  expect(reader.writableLength).toBeLessThan(MOST_WAITING * 1.5);
  expect(call('/api/v1/agents/x').status).toBe(404);
});

test.each(['end', 'fork', 'import'] as const)('a stream ends with its session (%s)', async (how) => {
  const { mock } = testMock();
  const server = await served(mock);
  const stream = await fetch(`${server.url}/_s/one/__admin/requests/stream`);
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  if (how === 'end') mock.sessions.end('one');
  else if (how === 'fork') mock.sessions.fork('one', mock.session('one').state());
  else {
    const { sessions, ...state } = mock.exportState();
    const { one: _, ...others } = sessions;
    mock.importState({ ...state, sessions: others });
  }
  expect((await reader.read()).done).toBe(true);
  // It receives no more events, and nothing is written after its end.
  await fetch(`${server.url}/_s/one/api/v1/agents/x`);
});
