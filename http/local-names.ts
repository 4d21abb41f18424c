import { parseUrl } from '../text/parse-url.ts';

/** The host of a `Host` or an origin, as a URL has it: no port, lower case, IPv6 in brackets; `undefined` if it is no name. */
export function hostName(authority: string): string | undefined {
  if (!/^[\w.:[\]-]{1,300}$/.test(authority)) return undefined;
  return parseUrl(`http://${authority}`)?.hostname.replace(/\.$/, '');
}

/** Whether a name from {@link hostName} means this machine, whoever resolves it. */
export function isLocalName(name: string): boolean {
  return /^(?:(?:[\w.-]+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/.test(name);
}

/** Whether only this machine can reach a server that listens on this address. */
export function isLoopback(address: string): boolean {
  return isLocalName(hostName(bracketed(address)) ?? '');
}

/** A host as it stands in a URL: an IPv6 address is in brackets. */
export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);
