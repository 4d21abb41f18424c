import { createHash } from 'node:crypto';
import { endpointIds, gaps, levelIds, levels, requirements, schemas, triggerIds } from '../../spec/index.ts';
import { edition } from '../../spec/edition.json';
import type { Facts } from '../history/facts/facts.ts';
import type { RunOptions } from '../run-options.ts';
import { counted, named } from '../show.ts';
import type { CheckReport, Report } from './report.ts';

/** The contract that a run judges by. The digest changes with every requirement, gap and schema. */
export function contractOf(): NonNullable<Report['contract']> {
  const digest = createHash('sha256').update(JSON.stringify([requirements, gaps, schemas]));
  return { edition, digest: `sha256:${digest.digest('hex')}` };
}

/** Answer times of each endpoint that answered. */
export function latencyOf(traffic: Pick<Facts['traffic'], 'of'>): NonNullable<Report['latency']> {
  return endpointIds.flatMap((endpoint) => {
    const times = traffic.of(endpoint).took.map((ms) => Math.round(ms * 10) / 10);
    times.sort((one, other) => one - other);
    const [medianMs, slowestMs] = [times[times.length >> 1], times.at(-1)];
    if (medianMs === undefined || slowestMs === undefined) return [];
    return [{ endpoint, answers: times.length, medianMs, slowestMs }];
  });
}

/** What a server can claim (section 4), each with what this run says of it. */
export function levelsOf(
  checks: readonly Pick<CheckReport, 'endpoint' | 'status'>[],
  all: readonly Pick<CheckReport, 'endpoint'>[],
  { claimed = [], showsVersion5 }: { readonly claimed?: RunOptions['levels']; readonly showsVersion5: boolean },
): NonNullable<Report['levels']> {
  return levelIds.map((id) => {
    const { title, endpoints, needsVersion5 = false } = levels[id];
    const belongs = ({ endpoint }: Pick<CheckReport, 'endpoint'>): boolean => endpoints.includes(endpoint);
    const asked = checks.filter(belongs);
    const pass = asked.filter(({ status }) => status === 'pass').length;
    const level = { id, title, claimed: claimed.includes(id), pass, of: all.filter(belongs).length };
    if (asked.some(({ status }) => status === 'fail')) return { ...level, status: 'broken' as const };
    const open = level.of - pass;
    if (open > 0) return { ...level, status: 'not-judged' as const, missing: `${counted(open, 'check')} not judged` };
    if (needsVersion5 && !showsVersion5)
      return { ...level, status: 'not-judged' as const, missing: '--v5-agent-id of an agent in the version 5 form' };
    return { ...level, status: 'held' as const };
  });
}

/** Under which conditions a verdict holds, in sentences. */
export function conditionsOf(options: RunOptions, created: number, met = new Set(triggerIds)): readonly string[] {
  const { readOnly = false, concurrency, token, readToken, guestToken, only = [], skip = [], rps } = options;
  const conditions: string[] = [];
  if (only.length > 0) conditions.push(`Only these checks were asked: ${only.join(', ')}.`);
  if (skip.length > 0) conditions.push(`These checks were left out: ${skip.join(', ')}.`);
  if (readOnly) conditions.push('Read-only: nothing was created.');
  else conditions.push(`The run created ${counted(created, 'resource')}.`);
  if (concurrency !== undefined && concurrency < 2)
    conditions.push('One request at a time (--concurrency 1): nothing overlapped.');
  if (rps !== undefined) conditions.push(`At most ${rps} requests a second.`);
  const tokens = { 'a token': token, 'a read token': readToken, 'a guest token': guestToken };
  const absent = Object.entries(tokens).filter(([, value]) => value === undefined);
  if (absent.length > 0) conditions.push(`Without ${absent.map(([name]) => name).join(', ')}.`);
  const unmet = triggerIds.filter((id) => !met.has(id));
  if (met.size > 0 && unmet.length > 0) conditions.push(`No request met these conditions: ${named(unmet, 8)}.`);
  return conditions;
}
