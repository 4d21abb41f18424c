import { createMock, profileNames } from '../../mock/index.ts';
import { inProcess, proofNow } from '../target.ts';
import { pagesClient } from './pages-client.ts';
import session from './pages-session.json';

test.each(profileNames)(
  'under the profile %s the recorded requests of the pages are sent completely',
  async (profile) => {
    const mock = createMock({ seed: 2, now: proofNow, frozen: true, profile });
    const transport = inProcess(mock);
    const asked: string[] = [];
    const unexpected: string[] = [];
    await pagesClient({
      mock,
      baseUrl: 'http://mock.test',
      async fetch(url, { method = '', headers, body }) {
        const sent = { url, method, headers: Object.fromEntries(new Headers(headers)) };
        const wire = await transport({ ...sent, ...(typeof body === 'string' ? { body } : {}) });
        const isKnown = url.includes('/__admin/') || sent.headers['authorization'] === `Bearer ${mock.target.token}`;
        asked.push(method);
        if (wire.status < 300 !== isKnown) unexpected.push(`${method} ${url} ${wire.status}`);
        return new Response(wire.status === 204 ? null : Buffer.from(wire.body), wire);
      },
    });
    expect(asked).toEqual(session.map(({ method }) => method));
    // Another profile may refuse what the pages create without optional fields.
    expect(profile === 'default' ? unexpected : []).toEqual([]);
  },
);
