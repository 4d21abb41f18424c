import { judge } from './target.ts';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { checks } from '../conformance/index.ts';
import { endpointIds, gapIds, triggerIds, violationIds } from '../spec/index.ts';
import { missed } from './foreign/trials.ts';
import claims from './claims.json';
import { expectedOf } from './claims.ts';
import { about, allTrials, inRuns, inTwoParts, runTrials, shortfall, subjects, type TrialVerdict } from './trials.ts';
import { profileNames, profiles } from '../mock/index.ts';
import { pairwiseProfiles } from './pairwise.ts';

const verdict = (more: Partial<TrialVerdict>): TrialVerdict => ({
  expected: ['a'],
  allowed: ['b'],
  failed: ['a', 'b'],
  broken: [],
  judged: 3,
  outcome: 'nonconformant',
  holds: true,
  said: ['a: expected this; met that at /x'],
  ...more,
});

test('a trial that does not hold says which checks must fail, which may, and which did; one that holds says nothing', () => {
  expect(shortfall(verdict({}))).toEqual([]);
  expect(shortfall(verdict({ holds: false, failed: ['c'], broken: ['a: it broke'] }))).toEqual([
    'must fail  a',
    'may fail   b',
    'failed     c',
    'outcome    nonconformant, 3 judged',
    'broken     a: it broke',
    'a: expected this; met that at /x',
  ]);
});

test('under a trigger, an agent that is not found may be reported as not stored', () => {
  const readable = 'created-agent-can-be-read';
  const claiming = ['get-agent-accepts-valid-request'];
  expect(expectedOf({ violation: 'get-agent-not-there' })).toMatchObject({ must: claiming, may: [] });
  const later = expectedOf({ violation: 'get-agent-not-there', trigger: 'after-40-requests' });
  expect([later.must, later.may]).toEqual([claiming, expect.arrayContaining([readable])]);
  const made = expectedOf({ violation: 'get-agent-not-there', trigger: 'created-agents' });
  expect([made.must, made.may, made.some]).toEqual([[], expect.arrayContaining([readable, ...claiming]), true]);
});

test('every exception is about violations and places that exist', () => {
  const places: readonly string[] = [...triggerIds, ...profileNames, 'a trigger', 'foreign traffic'];
  for (const { violations, where } of claims.exceptions) {
    expect(violationIds.some((id) => new RegExp(`^(?:${violations})$`).test(id)) && violations).toBe(violations);
    expect(where.filter((place) => !places.includes(place))).toEqual([]);
  }
});

test('the README says how many faults foreign traffic reveals, and every recorded miss is a violation', () => {
  const page = readFileSync(path.join(__dirname, '../README.md'), 'utf8');
  expect(page.replaceAll(/\s+/g, ' ')).toContain('it finds about three fifths of the faults that the mock can commit');
  expect(1 - missed.size / violationIds.length).toBeCloseTo(3 / 5, 1);
  expect([...missed].filter((id) => !violationIds.some((one) => one === id))).toEqual([]);
});

test('the trials about a gap are those under profiles with another choice than the default', () => {
  const trials = allTrials();
  expect(about('absent-values', trials).map((trial) => trial.kind === 'profile' && trial.profile)).toContain(
    'contrarian',
  );
  for (const gap of gapIds) {
    // A gap and a trigger may have the same name.
    const ofGap = about(gap, trials).filter((trial) => !('trigger' in trial && trial.trigger === gap));
    const chosen = ofGap.map((trial) =>
      trial.kind === 'profile'
        ? profiles[trial.profile][gap]
        : trial.kind === 'combination' && pairwiseProfiles()[trial.number - 1]?.[gap],
    );
    expect(chosen).not.toHaveLength(0);
    expect(chosen).not.toContain(profiles.default[gap]);
    expect(chosen).not.toContain(false);
    expect(subjects()).toContain(gap);
  }
});

test('the two parts of the proof make up the whole, and the first has every kind of trial', () => {
  const { first, rest } = inTwoParts(allTrials());
  expect(new Set([...first, ...rest].map((trial) => JSON.stringify(trial)))).toEqual(
    new Set(allTrials().map((trial) => JSON.stringify(trial))),
  );
  const kinds = new Set(allTrials().map(({ kind }) => kind));
  expect(new Set(first.map(({ kind }) => kind))).toEqual(kinds);
});

test('faults share a run if no other trial of it is about their endpoints or checks, and are tried in halves if need be', async () => {
  const trials = allTrials();
  const runs = inRuns(trials);
  expect(new Set(runs.flat())).toEqual(new Set(trials));
  const places = [...endpointIds, ...checks.map(({ id }) => id)];
  const largest = runs.filter(({ length }) => length > 5);
  expect(largest.length).toBeGreaterThan(10);
  for (const run of largest) expect(places.filter((id) => about(id, run).length > 1)).toEqual([]);
  const fault = { kind: 'fault', profile: 'default' } as const;
  // In one run, agents with the same id are not compared with what was answered.
  const hidden = { ...fault, violation: 'imported-agent-reads-without-variables' } as const;
  const verdicts = await runTrials([{ ...fault, violation: 'import-agent-repeats-id' } as const, hidden]);
  expect(verdicts.map(({ holds, failed }) => [holds, failed])).toEqual([
    [true, ['import-agent-gives-new-ids']],
    [true, ['imported-agent-reads-as-answered']],
  ]);
});

test('a condition that only seems to separate failures gives way to the right one, which more requests confirm', async () => {
  const { checks: all } = await judge({ faults: ['create-workspace-crashes@first-on-connection'] }, { only: ['4.6'] });
  const [failed, ...others] = all.filter(({ status }) => status === 'fail');
  expect(failed?.failure?.condition).toMatch(
    /^All \d+ requests on a new connection were wrong, .*; confirmed by \d+ requests\.$/,
  );
  expect(others).toEqual([]);
});
