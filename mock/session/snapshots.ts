import { didYouMean } from '../../text/nearest.ts';
import { MockError } from '../mock-error.ts';
import { checkSnapshots, difference, type PatchOperation, type Snapshot } from '../state/snapshots.ts';
import { isSameWorld } from '../store/world.ts';
import { measure, setData, storeOf, type Running } from './running.ts';

export interface Snapshots extends ReturnType<typeof createSnapshots> {}

const NAME_OF_SNAPSHOT = 'The name of a snapshot has up to 100 letters, digits, dots, hyphens and underscores;';
const OTHER_WORLDS = 'These states belong to two different worlds: the seed or the persona was changed in between.';

/** Data and clock of a session, saved under names. */
export function createSnapshots(session: Running) {
  const { clock, beginning } = session;
  const named = (name: string): Snapshot => {
    const { snapshots } = session;
    const found = snapshots.get(name);
    if (found) return found;
    const known =
      snapshots.size === 0 ? 'There are no snapshots yet' : `The snapshots are ${[...snapshots.keys()].join(', ')}`;
    throw new MockError(`There is no snapshot ${JSON.stringify(name)}. ${known}.${didYouMean(name, snapshots.keys())}`);
  };
  return {
    /** Their names, oldest first. */
    list: (): readonly string[] => [...session.snapshots.keys()],
    /** Saves data and clock under a name, and replaces a snapshot of that name. @throws MockError for an invalid name. */
    take(name: string): void {
      if (!/^[\w.-]{1,100}$/.test(name))
        throw new MockError(`${NAME_OF_SNAPSHOT} ${JSON.stringify(name.slice(0, 100))} does not fit.`);
      const next = new Map(session.snapshots);
      next.delete(name);
      next.set(name, { overlay: session.store.overlay(), clock: clock.state, world: session.world });
      checkSnapshots(next);
      session.snapshots = next;
    },
    /** @throws MockError if there is no snapshot of that name. */
    restore(name: string): void {
      const snapshot = named(name);
      setData(session, snapshot.world, snapshot.overlay);
      clock.restore(snapshot.clock);
    },
    /** False if there is none of that name. */
    remove(name: string): boolean {
      const next = new Map(session.snapshots);
      const was = next.delete(name);
      session.snapshots = next;
      measure(session);
      return was;
    },
    /** The changes from one snapshot to another, or to the present state. @throws MockError */
    diff(before: string, after?: string): readonly PatchOperation[] {
      const present = { overlay: session.store.overlay(), world: session.world };
      const [older, newer] = [named(before), after === undefined ? present : named(after)];
      if (!isSameWorld(older.world ?? beginning, newer.world ?? beginning)) throw new MockError(OTHER_WORLDS);
      return difference(older.overlay, newer.overlay, (overlay) =>
        storeOf(beginning, older.world, session.profile, overlay),
      );
    },
  };
}
