import { createHttpTransport } from '../http/http-transport.ts';
import { runConformance } from '../run.ts';
import { tinyService } from '../testing/tiny-service.ts';

jest.mock('../http/http-transport.ts', () => ({ createHttpTransport: jest.fn() }));

test.each([1, 4, 100])(
  'the transport has room for as many requests as checks may run at once: %d',
  async (concurrency) => {
    const now = Date.UTC(2026, 4, 20, 15, 30);
    const { transport } = tinyService({ now });
    const opened = jest.mocked(createHttpTransport).mockReset();
    opened.mockReturnValue(Object.assign(transport, { close: () => Promise.resolve() }));
    await runConformance({
      baseUrl: 'http://tiny.test',
      token: 'good',
      agentId: 'main',
      now,
      concurrency,
      only: ['4.6'],
    });
    expect(opened).toHaveBeenCalledWith(expect.objectContaining({ concurrency }));
  },
);
