import { createHmac, generateKeySync } from 'node:crypto';
import { QUOTED } from '../../text/json.ts';

/** Members of a results page whose texts are no data of anybody: identifiers, instants, cursors. */
const KEPT = /^(?:id|\w+Id|\w+At|nextCursor)$/;

/** Headers that tell who sends a request, and from where. */
const OF_SENDERS =
  /^(?:referer|forwarded|from|user-agent|x-(?:original-)?forwarded-for|.*(?:client|connecting|real)-ip|.*ipcountry)$/i;

/** Replaces personal data by texts that are equal where the data were, in one recording and those that continue it. */
export function createPersonal() {
  // Nobody can find a name or an address again by trying all of them.
  const key = generateKeySync('hmac', { length: 256 });
  const hidden = (text: string): string =>
    `hidden-${createHmac('sha256', key).update(text).digest('base64url').slice(0, 12)}`;
  return {
    /** The body of an answer that lists results (section 2.10), with other texts except identifiers, instants and cursors. */
    body(url: string, json: string): string {
      if (!/\/results\/?(?:[?#]|$)/.test(url)) return json;
      let name = '';
      return json.replace(QUOTED, (whole, text: string, end: string, colon: string | undefined) => {
        if (colon !== undefined) name = text;
        return colon !== undefined || text === '' || KEPT.test(name) ? whole : `"${hidden(text)}${end}`;
      });
    },
    header: (name: string, value: string): string => (OF_SENDERS.test(name) ? hidden(value) : value),
  };
}

export type Personal = ReturnType<typeof createPersonal>;
