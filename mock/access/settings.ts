import { hostName } from '../../http/local-names.ts';
import { MockError } from '../mock-error.ts';

/** The host name in a setting. @throws MockError */
export function readHost(text: string): string {
  const name = hostName(text);
  if (name === undefined)
    throw new MockError(`A host is a name or an address, such as mock.example. ${JSON.stringify(text)} is not one.`);
  return name;
}

/** An origin in a setting, in lower case; `*` means any. @throws MockError */
export function readOrigin(text: string): string {
  const origin = text.toLowerCase().replace(/\/$/, '');
  if (!/^(?:\*|null|[a-z][a-z\d+.-]*:\/\/[^\s/?#*]+)$/.test(origin))
    throw new MockError(
      `An origin looks like https://app.example, without a path; * stands for any. ${JSON.stringify(text)} is not one.`,
    );
  return origin;
}

/** A token that fits a header. @throws MockError, which does not show it. */
export function readAdminToken(text: string): string {
  if (/^[!-~]{1,200}$/.test(text)) return text;
  throw new MockError('An admin token has up to 200 ASCII letters, digits and signs, and no space.');
}
