import { createHttpTransport } from '../http/http-transport.ts';
import { judgeTiny, now } from '../testing/test-run.ts';
import { tinyService } from '../testing/tiny-service.ts';

jest.mock('../http/http-transport.ts', () => ({ createHttpTransport: jest.fn() }));

test.each([1, 4, 100])('the transport has room for all checks that run at once: %d', async (concurrency) => {
  const { transport } = tinyService({ now });
  const opened = jest.mocked(createHttpTransport).mockReset();
  opened.mockReturnValue(Object.assign(transport, { keep: () => Promise.resolve(), close: () => Promise.resolve() }));
  await judgeTiny({ transport: undefined, concurrency, only: ['4.6'] });
  expect(opened).toHaveBeenCalledWith(expect.objectContaining({ concurrency }));
});
