import { accepting, answering, textOf, withText, type PermittedServers, type Wrap } from './server.ts';

/** Changes the text of accepted answers. */
const written = (change: (text: string) => string): Wrap =>
  accepting((answer) => withText(answer, change(textOf(answer))));

/** How a server may write its answers. */
export const writing: PermittedServers = {
  'replaces public ids and slugs with its own': written((text) =>
    text.replace(/"(publicId|slug)":"([^"]*)"/g, '"$1":"own-$2"'),
  ),
  'writes every character beyond ASCII as an escape': written(escaped),
  'writes spaces and line feeds around its JSON': written((text) => `\r\n  ${text}\n\n`),
  'repeats a name within an object': written((text) => text.replace(/^\{/, '{"_v":1,"_v":2,')),
  'declares its answers as plain text': answering((answer) => ({
    ...answer,
    headers: { ...answer.headers, 'content-type': 'text/plain' },
  })),
};

function escaped(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
