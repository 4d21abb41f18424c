import type { EndpointId } from '../../../spec/index.ts';
import type { Answer } from '../../http/exchange.ts';
import type { ReadBody } from '../../http/read-body.ts';
import type { HttpAnswer } from '../../../http/exchange.ts';
import { unenvelop } from '../../shape/envelope.ts';

interface Received {
  readonly status: number;
  readonly headers: HttpAnswer['headers'];
  readonly text: string;
  readonly read: ReadBody;
}

/** A large body is parsed again at every access: see read-body.ts. */
export function readAnswer(endpoint: EndpointId, { status, headers, text, read }: Received): Answer {
  const accepted = status >= 200 && status < 300;
  const { problem, flaw, repeats } = read;
  const slip = accepted && problem === undefined ? unenvelop(endpoint, read.json).slip : undefined;
  return {
    status,
    headers,
    accepted,
    get json() {
      if (slip) return unenvelop(endpoint, read.json).json;
      return read.json;
    },
    problem,
    flaw,
    repeats,
    slip,
    text,
  };
}
