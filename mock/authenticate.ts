import { endpoints } from '../spec/index.ts';
import { refuse, type Call, type Mode, type Refusal } from './call.ts';
import { chosen } from './choices/index.ts';

/** The tokens that the mock knows, each with the mode that it gives its bearer. */
export type Tokens = ReadonlyMap<string, Mode>;

/** Section 5: who calls, and may they? Refuses, or gives the mode of the caller. */
export function authenticate(call: Call, tokens: Tokens): Mode | Refusal {
  if (call.authorization === undefined) return unauthorized('The Authorization header is missing.');
  const token = chosen(call.profile, 'bearer-case').exec(call.authorization)?.[1];
  if (token === undefined)
    return unauthorized(
      /^bearer *$/i.test(call.authorization)
        ? 'The Authorization header holds no token.'
        : 'The Authorization header does not have the form: Bearer <token>.',
    );
  const mode = tokens.get(token);
  if (mode === undefined) return unauthorized('The token is not known. The mock prints the tokens it knows at start.');
  const permitted = chosen(call.profile, 'mode-permissions')[mode];
  if (permitted === 'every' || permitted.includes(call.endpoint)) return mode;
  return refuse('forbidden', `A caller in the mode ${mode} may not use ${endpoints[call.endpoint].title}.`, [
    { location: 'header/authorization', message: `The token gives the mode ${mode}.` },
  ]);
}

const unauthorized = (message: string): Refusal =>
  refuse('unauthorized', message, [{ location: 'header/authorization', message }]);
