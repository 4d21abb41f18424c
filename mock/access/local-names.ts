import { MockError } from '../mock-error.ts';
import { parseUrl } from '../../text/parse-url.ts';

/**
 * The name in a `Host` header or an origin, as a URL has it: without its port, in small letters, addresses in one
 * spelling, those of version 6 in brackets; `undefined` for what is no name.
 */
export function hostName(authority: string): string | undefined {
  if (!/^[\w.:[\]-]{1,300}$/.test(authority)) return undefined;
  const url = `http://${authority}`;
  return parseUrl(url)?.hostname.replace(/\.$/, '');
}

/** Whether a name, as {@link hostName} gives it, means the machine itself, whoever resolves it. */
export const isLocalName = (name: string): boolean =>
  /^(?:(?:[\w.-]+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/.test(name);

/** Whether a name, as {@link hostName} gives it, is an address: nobody can make it point to elsewhere. */
export const isAddress = (name: string): boolean => /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:]+\])$/.test(name);

/** Whether a page of this origin runs on this machine. */
export const isLocalOrigin = (origin: string): boolean => {
  const [, authority = ''] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
  const name = hostName(authority);
  return name !== undefined && isLocalName(name);
};

/** Whether only this machine can reach what listens on an address. */
export const isLoopback = (address: string): boolean =>
  isLocalName(hostName(address.includes(':') ? `[${address}]` : address) ?? '');

/** The name of a host that somebody wrote. @throws MockError */
export function readHost(text: string): string {
  const name = hostName(text);
  if (name === undefined)
    throw new MockError(`A host is a name or an address, such as mock.example. ${JSON.stringify(text)} is not one.`);
  return name;
}

/** An origin that somebody wrote, in small letters; `*` is any. @throws MockError */
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
