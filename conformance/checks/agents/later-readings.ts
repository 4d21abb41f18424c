import type { NewAgentEndpoint } from '../../../spec/index.ts';
import type { Judge } from '../../check.ts';
import { valueFor } from '../../collections.ts';
import { ASSIGNED } from '../../content/abridge.ts';
import type { Difference } from '../../content/content.ts';
import type { AgentCreation } from '../../history/facts/agents.ts';
import type { Facts } from '../../history/facts/facts.ts';
import { isWithinLag } from '../../history/facts/lateness.ts';
import type { Answered, Excerpt } from '../../http/exchange.ts';
import type { JsonObject } from '../../json.ts';
import { show } from '../../show.ts';
import { isEdited, otherWorkspace, takenFromOthers } from './content.ts';
import { isRead, readingOf, type CreatedAgent } from './created.ts';
import { createLedger } from './ledger.ts';

/** A part that the first readings of a new agent lacked: the agent may be half written. */
interface Half {
  readonly difference: Difference;
  readonly exchanges: readonly [witness: Excerpt, reading: Excerpt];
  readonly readings: number[];
}

interface Read {
  readonly first: Excerpt;
  readonly earlier: (readonly [content: JsonObject, witness: Excerpt])[];
  readonly halves: Map<string, Half>;
  /** Differences in readings with a later `updatedAt`. */
  readonly edits: { readonly n: number; readonly differences: readonly Difference[]; readonly excerpt: Excerpt }[];
}

/** Others edit one in so many of the new agents, or fewer. */
const ONE_IN = 4;

/** Judges that every reading shows what was answered, workspace included, and what the first reading showed. */
export function judgeReadings(facts: Facts, endpoint: NewAgentEndpoint): Judge {
  const { agents, policy, excuses } = facts;
  const ledger = createLedger('answered');
  const all = new Map<string, Read>();
  /** The fields of which an agent showed later what its first readings lacked: others that are read once may do so too. */
  const completed = new Set<string | undefined>();

  /** Sees what a reading shows otherwise. Whatever the first readings lack is held back until it shows, or is late. */
  function seeDifference(
    { id, creation }: CreatedAgent,
    { sentAt, n, excerpt }: Answered,
    difference: Difference,
    witness: Excerpt,
  ): void {
    const { halves, first } = all.get(id) ?? {};
    const { place, actual, is } = difference;
    const isFirst = first === excerpt;
    const half = halves?.get(place);
    const isHalf = isWithinLag(creation, { sentAt }) && (is === 'absent' || actual === show(undefined));
    if (half && isHalf) return void (half.readings.at(-1) === n || half.readings.push(n));
    if (isFirst && isHalf) return void halves?.set(place, { difference, exchanges: [witness, excerpt], readings: [n] });
    halves?.delete(place);
    if (is === 'absent') ledger.lack(id, difference, excerpt, !isFirst && !half);
    else ledger.other(difference, [witness, excerpt]);
  }

  return {
    see(exchange, verdict) {
      const read = readingOf(exchange, endpoint, agents);
      if (!read || !isRead(exchange) || !agents.isUnchanged(exchange, read.creation)) return;
      const { id, creation } = read;
      const { excerpt, n } = exchange;
      const moved = otherWorkspace(exchange, 'the answer', creation.answeredWorkspaceId, creation.excerpt);
      verdict.findings.push(...moved);
      const shown = agents.contentOf(exchange);
      if (!shown) return;
      const before = valueFor(all, id, () => firstReading(creation, excerpt), 300);
      const found = before.earlier.map(([one, witness]) => ({ ...agents.compare(one, shown), witness }));
      if (before.first === excerpt)
        before.earlier.push([without(partOf(shown, creation.sent), creation.answered), excerpt]);
      if (moved.length > 0 || found.some(({ compared }) => compared > 0)) verdict.judged++;
      // Somebody may publish what others made.
      const differences = found.flatMap(({ differences: some, witness }) =>
        some.filter(({ place }) => !policy.isShared || place !== '/isPublished').map((one) => [one, witness] as const),
      );
      if (isEdited(exchange, creation)) {
        if (differences.length > 0 && before.edits.length < 20)
          before.edits.push({ n, differences: differences.map(([one]) => one), excerpt });
        return;
      }
      verdict.findings.push(...takenFromOthers(facts, read, exchange, creation.sent, creation.answered));
      for (const [difference, witness] of differences) seeDifference(read, exchange, difference, witness);
      const still = new Set(differences.map(([{ place }]) => place));
      for (const [place, { readings }] of before.halves)
        if (!still.has(place)) {
          completed.add(place.split('/')[1]);
          for (const one of readings) excuses.use('half-written', one);
          before.halves.delete(place);
        }
    },
    conclude({ findings }) {
      const edited = [...all.values()].filter(({ edits }) => edits.length > 0);
      const isByOthers = edited.length * ONE_IN <= all.size;
      const late = createLedger('answered');
      for (const [id, { halves, edits }] of all) {
        for (const { n, differences, excerpt } of edits)
          if (isByOthers) excuses.use('edited', n);
          else for (const difference of differences) late.other(difference, [excerpt]);
        for (const { difference, exchanges, readings } of halves.values())
          if (completed.has(difference.place.split('/')[1])) for (const n of readings) excuses.use('half-written', n);
          else if (difference.is === 'another') late.other(difference, exchanges);
          else for (const _ of readings) late.lack(id, difference, exchanges[1]);
      }
      findings.push(...ledger.findings(agents.read), ...late.findings(agents.read));
    },
  };
}

function firstReading({ sent, answered, excerpt: witness }: AgentCreation, first: Excerpt): Read {
  return { first, earlier: answered ? [[partOf(answered, sent), witness]] : [], halves: new Map(), edits: [] };
}

/** The part of the answer that the request asked for, and what the server assigned. An agent may be published later. */
const partOf = (agent: JsonObject, sent: JsonObject | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(agent).filter(([name]) => {
      if (name === 'isPublished') return sent?.[name] === false;
      return sent === undefined || ASSIGNED.has(name) || Object.hasOwn(sent, name);
    }),
  );

const without = (agent: JsonObject, answered: JsonObject | undefined): JsonObject =>
  Object.fromEntries(Object.entries(agent).filter(([name]) => (answered?.[name] ?? undefined) === undefined));
