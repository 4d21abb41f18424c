import { MockError } from '../mock-error.ts';
import { parseUrl } from '../../text/parse-url.ts';

/**
 * The host name in a `Host` header or an origin, in the form of a URL: without a port, in lower case, addresses in
 * canonical form, IPv6 in brackets; `undefined` if it is not a name.
 */
export function hostName(authority: string): string | undefined {
  if (!/^[\w.:[\]-]{1,300}$/.test(authority)) return undefined;
  const url = `http://${authority}`;
  return parseUrl(url)?.hostname.replace(/\.$/, '');
}

/** Whether a name from {@link hostName} means this machine, whoever resolves it. */
export const isLocalName = (name: string): boolean =>
  /^(?:(?:[\w.-]+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/.test(name);

/** Whether a name from {@link hostName} is an address, which no DNS entry can redirect. */
export const isAddress = (name: string): boolean => /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:]+\])$/.test(name);

/** Whether a page of this origin runs on this machine. */
export const isLocalOrigin = (origin: string): boolean => {
  const [, authority = ''] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
  const name = hostName(authority);
  return name !== undefined && isLocalName(name);
};

/** Whether only this machine can reach a server that listens on this address. */
export const isLoopback = (address: string): boolean =>
  isLocalName(hostName(address.includes(':') ? `[${address}]` : address) ?? '');

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
