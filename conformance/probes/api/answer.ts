import type { EndpointId } from '../../../spec/index.ts';
import type { HttpAnswer } from '../../../http/exchange.ts';
import type { Answer } from '../../http/exchange.ts';
import { beginning, createReader } from '../../http/read-body.ts';
import { unenvelop } from '../../shape/envelope.ts';

/** Reads answers; those with equal bodies share what was parsed. */
export function createAnswerReader(): (endpoint: EndpointId, came: HttpAnswer) => Answer {
  const readBody = createReader();
  return (endpoint, { status, headers, body }) => {
    const read = readBody(body);
    const { problem, flaw, repeats } = read;
    const accepted = status >= 200 && status < 300;
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
      text: beginning(body),
      bytes: body.length,
    };
  };
}
