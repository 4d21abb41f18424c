import { createHostGate, createOriginGate, createPageGate, createTokenGate, type Gate } from '../../http/gate.ts';
import { isAdmin, sessionOf } from './address.ts';
import { hostName } from '../../http/local-names.ts';
import { MockError } from '../mock-error.ts';

/** Who may talk to a mock that listens. */
export interface GateOptions {
  /** Host names of the mock, besides those of this machine. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins whose pages may use the service, besides local ones and the mock's own; `*` is any. */
  readonly cors?: readonly string[] | undefined;
  /** Everything below `/__admin` requires it. No output shows it. */
  readonly adminToken?: string | undefined;
}

const who = 'This mock';
const pageGate = createPageGate({ who }, /^\/__admin\/ui(?:\/(?:index\.html)?)?(?:\?|$)/);

/** The gate of a mock inside another server: pages of other origins may use the service, but nothing below `/__admin`. */
export const mountedGate: Gate = (request) => {
  const { target } = sessionOf(request);
  if (isAdmin(target)) return pageGate({ ...request, target });
  return undefined;
};

/** The gate of a mock that listens. `isLocal`: whether only this machine can reach it. @throws MockError */
export function listeningGate({ allowedHosts = [], cors = [], adminToken }: GateOptions, isLocal: () => boolean): Gate {
  const named = (name: string): string =>
    ` If that is its name, start it with --allowed-host ${name}, or listen({ allowedHosts: ["${name}"] }).`;
  const owned = (origin: string): string =>
    ` If it is yours, start the mock with --cors ${origin}, or listen({ cors: ["${origin}"] }).`;
  const hostGate = createHostGate({ who, remedy: named }, allowedHosts.map(readHost), isLocal);
  const originGate = createOriginGate({ who, remedy: owned }, cors.map(readOrigin));
  const tokenGate = adminToken !== undefined && createTokenGate({ who }, adminToken);
  return (request) => {
    const refused = hostGate(request) ?? originGate(request) ?? mountedGate(request);
    if (refused || !tokenGate) return refused;
    const { target } = sessionOf(request);
    // Health is for probes, which have no token.
    const isProbe = /^(?:GET|HEAD)$/.test(request.method) && /^\/__admin\/health(?:\?|$)/.test(target);
    if (isAdmin(target) && !isProbe) return tokenGate(request);
    return undefined;
  };
}

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
  if (/^(?:\*|null|[a-z][a-z\d+.-]*:\/\/[^\s/?#*]+)$/.test(origin)) return origin;
  const shown = JSON.stringify(text);
  throw new MockError(
    `An origin looks like https://app.example, without a path; * stands for any. ${shown} is not one.`,
  );
}

/** A token that fits a header. @throws MockError, which does not show it. */
export function readAdminToken(text: string): string {
  if (/^[!-~]{1,200}$/.test(text)) return text;
  throw new MockError('An admin token has up to 200 ASCII letters, digits and signs, and no space.');
}
