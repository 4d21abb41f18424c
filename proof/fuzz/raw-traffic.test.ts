import { forwarders, sendRawTraffic } from './raw-traffic.ts';

test.each(Object.entries(forwarders))(
  '%s answers each request, whatever bytes its upstream answers with',
  async (_, start) => {
    const { statuses, unanswered, leftOpen } = await sendRawTraffic(start, 400, 1);
    expect({ unanswered, leftOpen }).toEqual({ unanswered: [], leftOpen: 0 });
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '204', '404', '502', '504']));
  },
);
