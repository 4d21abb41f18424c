import type { Evidence } from '../shape/evidence.ts';
import type { EndpointId, GapId, Profile, RequirementId, ViolationId } from '../../spec/index.ts';

/** The source of a requirement: the specification states it, or a stated operation has no meaning without it. */
export type Lane = 'stated' | 'derived';

/**
 * The result of one check. `not-judged` means that something was missing (an id, a token, data), never that the target
 * is at fault. `error` means that the runner itself broke.
 */
export type Status = 'pass' | 'fail' | 'not-judged' | 'error';

/** The verdict on the whole run. A run that judged nothing is `partial`, never `conformant`. */
export type Outcome = 'conformant' | 'partial' | 'nonconformant' | 'unreachable';

/** One request and its answer, already redacted: it holds no token. */
export interface RecordedExchange {
  /** A line that repeats the request in a shell where `$TOKEN` is set. */
  readonly curl: string;
  readonly method: string;
  readonly url: string;
  /** Request headers, names in lower case. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** The first part of the request's body as text (cut at 2,000 characters). */
  readonly requestBody?: string;
  /** `undefined` if no answer arrived. */
  readonly status?: number;
  /** Answer headers, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The first part of the answer's body as text (cut at 2,000 characters). */
  readonly body?: string;
  /** Milliseconds from sending to the whole body. */
  readonly durationMs?: number;
  /** Why no answer arrived, in words. */
  readonly failure?: string;
}

export interface FailureReport {
  /** The broken requirement; missing in reports of earlier versions. */
  readonly requirement?: RequirementId;
  /** What the requirement demands at this place, in words. */
  readonly expected: string;
  /** What came instead. */
  readonly actual: string;
  /** JSON Pointer into the answer's body, if there is one place to point at. */
  readonly at?: string;
  /** The exchanges that show the failure, the decisive one last. */
  readonly exchanges: readonly RecordedExchange[];
  /** More failures of the same check beyond the one shown. */
  readonly more?: readonly { readonly expected: string; readonly actual: string; readonly at?: string }[];
}

export interface CheckReport {
  readonly id: string;
  /** The fact that the check verifies, as a sentence. */
  readonly title: string;
  readonly endpoint: EndpointId;
  readonly requirements: readonly {
    readonly id: RequirementId;
    readonly section: string;
    readonly lane: Lane;
    readonly statement: string;
  }[];
  readonly status: Status;
  /** The number of exchanges, pairs or lists on which the fact was judged. */
  readonly judged: number;
  /** What the check is proven to catch: it fails on each of these violations. */
  readonly provenBy: readonly { readonly id: ViolationId; readonly does: string }[];
  /** Only with `fail`. */
  readonly failure?: FailureReport;
  /** Only with `not-judged` and `error`: why. */
  readonly reason?: string;
  /** Only with `not-judged`: what the user can supply so that it is judged ("--agent-id of an agent with results"). */
  readonly supply?: string;
}

/** What the target did where the specification leaves the choice open. Never a failure. */
export interface Observation {
  readonly gap: GapId;
  readonly section: string;
  readonly question: string;
  /** The id of the recognised choice, or `undefined` if none fits. */
  readonly choice?: string;
  /** What was seen, in words. */
  readonly seen: string;
}

/**
 * The choice of each gap that the run observed without ambiguity, in the order of the gaps: a partial profile, with
 * which the mock answers like the target.
 */
export type ObservedProfile = Partial<Profile>;

export interface CreatedOnTarget {
  readonly kind: 'agent' | 'workspace';
  readonly id: string;
  readonly name: string;
}

/** One finding that is known and accepted for now. */
export interface BaselineEntry {
  /** The id of the check. */
  readonly check: string;
  /** The known status. Default: `fail`. */
  readonly status?: 'fail' | 'not-judged';
  /**
   * JSON Pointer of the known place; `*` stands for any one name or index. Default: any place where the check fails.
   */
  readonly at?: string;
  /** Why it is accepted. */
  readonly reason: string;
  /** The last day (in UTC, 2026-12-31) on which it is accepted. Default: no end. */
  readonly expires?: string;
}

/**
 * How a run differs from its baseline: a failure, or something not judged, that no entry knows; an entry whose check
 * passes; an entry that matches nothing in the run; an expired entry.
 */
export type NewsKind = 'new-failure' | 'new-not-judged' | 'now-passes' | 'matches-nothing' | 'expired';

export interface BaselineNews {
  readonly kind: NewsKind;
  readonly check: string;
  /** What happened, as a sentence. */
  readonly says: string;
  /** Only with `new-failure`: JSON Pointer of the first place that no entry knows. */
  readonly at?: string;
  /** The entry that it concerns; absent with `new-failure` and `new-not-judged`. */
  readonly entry?: BaselineEntry;
}

/**
 * A run compared with its baseline. This decides whether the run succeeds. The outcome of the report is the same as
 * without a baseline, since a known failure is still a failure.
 */
export interface BaselineReport {
  readonly verdict: 'nothing-new' | 'news';
  /** The entries that match and have not expired. */
  readonly known: readonly BaselineEntry[];
  /** What fails the run. Empty with `nothing-new`. */
  readonly news: readonly BaselineNews[];
}

/** Failures with one cause at several endpoints. */
export interface Cause {
  /** The id of the broken requirement. */
  readonly requirement: string;
  /** From the first of these failures. */
  readonly expected: string;
  readonly actual: string;
  /** JSON Pointer below the resource; `*` stands for any index. */
  readonly at?: string;
  /** Ids of the checks that fail for this cause. */
  readonly checks: readonly string[];
}

/** Answers with a status above 499. No requirement forbids them, but no server intends them. */
export interface ServerErrors {
  readonly count: number;
  /** Each kind of request that got one, and a command that repeats it. */
  readonly shown: readonly { readonly endpoint: EndpointId; readonly status: number; readonly curl: string }[];
}

/** A finished run. Reporters are pure functions of it; it holds no token. */
export interface Report {
  readonly tool: { readonly name: 'agent-contract'; readonly version: string };
  /** The target, with the identifiers that the user gave. */
  readonly target: {
    readonly baseUrl: string;
    readonly workspaceId?: string;
    readonly agentId?: string;
    readonly publishedAgentId?: string;
    readonly v5AgentId?: string;
  };
  /** The options that affect verdicts, so that a run can be repeated. */
  readonly options?: { readonly readOnly: boolean; readonly strictNull: boolean; readonly repeat?: number };
  /** A whole number; repeats the run's random choices. */
  readonly seed: number;
  /** RFC 3339, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly outcome: Outcome;
  /** One sentence that explains the outcome. */
  readonly summary: string;
  readonly counts: { readonly pass: number; readonly fail: number; readonly notJudged: number; readonly error: number };
  readonly checks: readonly CheckReport[];
  readonly observations: readonly Observation[];
  readonly observedProfile: ObservedProfile;
  readonly evidence: readonly Evidence[];
  readonly created: readonly CreatedOnTarget[];
  readonly requests: number;
  /** Failures by cause; missing if nothing failed. */
  readonly causes?: readonly Cause[];
  /** Missing if there were none. */
  readonly serverErrors?: ServerErrors;
  /** How long a new agent could not be read, in milliseconds; missing if each could be read at once. */
  readonly readableAfterMs?: number;
  /** Only for foreign traffic: how many exchanges were judged, and how many were left out for each reason. */
  readonly traffic?: {
    readonly judged: number;
    readonly leftOut: readonly {
      readonly reason: string;
      readonly count: number;
      readonly examples: readonly string[];
    }[];
  };
  /** Only if the run was compared with a baseline. */
  readonly baseline?: BaselineReport;
}

/** Turns a finished run into text. Pure. `includeBodies` shows the values in bodies, not only their types. */
export type Reporter = (
  report: Report,
  options: { readonly color: boolean; readonly includeBodies?: boolean },
) => string;
