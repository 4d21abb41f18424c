import type { MetExchange, Steering } from '../../mock/index.ts';

export interface TestResult {
  /** `user-list.test.ts › shows the last page`, or the name of a program. */
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** How the runner names the test itself, which may be a part of the name of a session. */
  readonly id?: string;
  /** Which time it is that the run runs it; missing for the first. */
  readonly turn?: number;
  /** Epoch milliseconds, if the runner tells. */
  readonly from?: number;
  readonly to?: number;
}

export interface RunOrder {
  readonly steering: Steering;
  /** The tests that are wanted, and their files. A runner may run more; without files it runs all. */
  readonly wanted?: {
    readonly tests: readonly string[];
    readonly files: readonly string[];
    /** Whether other tests of these files may be left out. */
    readonly isNarrow?: boolean;
  };
  /** How many times each test is run, by a runner that can. */
  readonly turns?: number;
  /** How many tests such a runner runs at the same time; 1 for as many as it would. */
  readonly workers?: number;
  /** Milliseconds after which the run is stopped; none in the first run. */
  readonly limit: number | undefined;
  /** Milliseconds after which a single test fails, if its runner takes that. */
  readonly limitOfTest?: number;
  /** Whether what is sent and answered is wanted. */
  readonly isRecorded: boolean;
  readonly signal: AbortSignal | undefined;
}

export interface TestRun {
  readonly tests: readonly TestResult[];
  /** Whether the limit or a signal stopped it. */
  readonly wasStopped: boolean;
  /** Whether tests of the same files were left out. */
  readonly isNarrow?: boolean;
  /** Whether the runner can run each test several times in one run. */
  readonly takesTurns?: boolean;
  readonly durationMs: number;
  readonly exchanges: readonly MetExchange[];
  /** The end of what the tests wrote. */
  readonly output: string;
}

/** Runs the tests once. @throws UsageError if they cannot be started */
export type RunTests = (order: RunOrder) => Promise<TestRun>;
