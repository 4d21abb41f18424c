import { checks, type Report } from '../../conformance/index.ts';
import { createForeignJudge } from '../../conformance/foreign/judge-foreign.ts';
import { reportForeign } from '../../conformance/foreign/report-foreign.ts';
import { createMock, type MockOptions } from '../../mock/index.ts';
import { inProcess, proofNow } from '../target.ts';
import type { Program } from './typed-client.ts';

const baseUrl = 'http://mock.test';

/** What the judge reports about a mock, from the traffic of a program that uses it. */
export async function judgeTraffic(options: MockOptions, program: Program): Promise<Report> {
  const mock = createMock({ seed: 1, now: proofNow, frozen: true, ...options });
  const transport = inProcess(mock);
  const secrets: { value: string }[] = [];
  const judge = createForeignJudge({ checks, strictNull: false, secrets });
  let ticks = 0;
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { method = 'GET' } = init;
    const requestHeaders = Object.fromEntries(new Headers(init.headers));
    const body = typeof init.body === 'string' ? init.body : undefined;
    const [begun, sentAt] = [++ticks, mock.clock.now()];
    const wire = await transport({ url, method, headers: requestHeaders, ...(body === undefined ? {} : { body }) });
    judge.see(
      {
        method,
        url,
        requestHeaders,
        requestBody: body,
        status: wire.status,
        headers: wire.headers,
        body: wire.body,
        sentAt,
        answeredAt: mock.clock.now(),
        hasAllHeaders: true,
        isRetold: false,
      },
      { begun, n: ++ticks },
    );
    const isBare = wire.status === 204 || wire.status === 304 || wire.status < 200;
    return new Response(isBare ? null : new Uint8Array(wire.body), {
      status: wire.status < 200 ? 500 : wire.status,
      headers: wire.headers,
    });
  };
  await program({ mock, fetch, baseUrl });
  return reportForeign(judge, { checks, strictNull: false, secrets });
}
