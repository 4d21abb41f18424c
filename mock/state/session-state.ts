import type { Profile } from '../../spec/index.ts';
import type { Settings } from '../session/settings.ts';
import type { Overlay } from '../store/overlay.ts';
import type { World } from '../store/world.ts';
import type { ClockState, Snapshot } from './snapshots.ts';

/**
 * A session at one moment: its data, clock, faults, settings and snapshots, without its journal. Shares its values with
 * the session.
 */
export interface SessionState {
  readonly data: Overlay;
  readonly clock: ClockState;
  readonly profile: Profile;
  readonly faults: readonly string[];
  readonly settings: Settings;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  /** Missing if it is the world of the mock. */
  readonly world?: World;
}
