import { accepting, textOf, withText, type Permitted, type Wrap } from './server.ts';

/** Changes the text of accepted answers. */
const written = (change: (text: string) => string): Wrap =>
  accepting((answer) => withText(answer, change(textOf(answer))));

/** How a server may write its answers. */
export const writing: readonly Permitted[] = [
  {
    does: 'replaces public ids and slugs with its own',
    wrap: written((text) => text.replace(/"(publicId|slug)":"([^"]*)"/g, '"$1":"own-$2"')),
  },
  { does: 'writes every character beyond ASCII as an escape', wrap: written(escaped) },
  { does: 'writes spaces and line feeds around its JSON', wrap: written((text) => `\r\n  ${text}\n\n`) },
  { does: 'repeats a name within an object', wrap: written((text) => text.replace(/^\{/, '{"_v":1,"_v":2,')) },
  {
    does: 'declares its answers as plain text',
    wrap: (transport) => async (request, signal) => {
      const answer = await transport(request, signal);
      return { ...answer, headers: { ...answer.headers, 'content-type': 'text/plain' } };
    },
  },
];

function escaped(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
