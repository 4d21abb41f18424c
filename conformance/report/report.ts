import type { EndpointId, GapId, Profile, RequirementId, ViolationId } from '../../spec/index.ts';

/** Where a requirement comes from: the specification says it, or a stated operation has no meaning without it. */
export type Lane = 'stated' | 'derived';

/**
 * What became of one check. `not-judged` means that the means were missing (an id, a token, data), never that the
 * target is at fault; `error` means that the runner itself broke.
 */
export type Status = 'pass' | 'fail' | 'not-judged' | 'error';

/** The verdict on the whole run. A run that judged nothing is `partial`, never `conformant`. */
export type Outcome = 'conformant' | 'partial' | 'nonconformant' | 'unreachable';

/** One request and its answer, already redacted: no token occurs anywhere in it. */
export interface RecordedExchange {
  /** A line that repeats the request in a shell in which `$TOKEN` is set. */
  readonly curl: string;
  readonly method: string;
  readonly url: string;
  /** Request headers, names in lower case. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** The first part of the request's body as text (cut at 2,000 characters). */
  readonly requestBody?: string;
  /** `undefined` where no answer arrived. */
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
  /** The requirement that is broken; missing in reports of earlier versions. */
  readonly requirement?: RequirementId;
  /** What the requirement demands here, in words. */
  readonly expected: string;
  /** What was met instead. */
  readonly actual: string;
  /** JSON Pointer into the answer's body, where there is one place to point at. */
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
  /** On how many exchanges, pairs or lists the fact was judged. */
  readonly judged: number;
  /** What the check is proven to catch: each of these, committed on purpose, makes it fail. */
  readonly provenBy: readonly { readonly id: ViolationId; readonly does: string }[];
  /** Only with `fail`. */
  readonly failure?: FailureReport;
  /** Only with `not-judged` and `error`: why. */
  readonly reason?: string;
  /** Only with `not-judged`: what the user can supply so that it is judged ("--agent-id of an agent with results"). */
  readonly supply?: string;
}

/** What the target was seen to do where the specification leaves the choice open. Never a failure. */
export interface Observation {
  readonly gap: GapId;
  readonly section: string;
  readonly question: string;
  /** The id of the choice that was recognised, or `undefined` where what was seen fits none of them. */
  readonly choice?: string;
  /** What was seen, in words. */
  readonly seen: string;
}

/**
 * The choice of each gap that was observed without ambiguity, in the order of the gaps: part of a profile, with which the
 * mock takes after the target.
 */
export type ObservedProfile = Partial<Profile>;

/** How much of the documented shape was really seen, per schema. */
export interface Evidence {
  readonly schema: string;
  /** Typed locations: JSON Pointer templates with `*` for array items. */
  readonly typed: number;
  readonly seenValid: number;
  readonly seenNull: number;
  readonly neverSeen: readonly string[];
}

export interface CreatedOnTarget {
  readonly kind: 'agent' | 'workspace';
  readonly id: string;
  readonly name: string;
}

/** One finding that is known, and accepted for the time being. */
export interface BaselineEntry {
  /** The id of the check. */
  readonly check: string;
  /** What is known of it. Default: `fail`. */
  readonly status?: 'fail' | 'not-judged';
  /** JSON Pointer of the known place, `*` standing for any one name or index. Default: wherever the check fails. */
  readonly at?: string;
  /** Why it is accepted. */
  readonly reason: string;
  /** The last day (in UTC, 2026-12-31) on which it is. Default: no end. */
  readonly expires?: string;
}

/**
 * In what a run differs from its baseline: a failure, or something not judged, that no entry knows; an entry of which
 * the check passes, one that matches nothing that the run met, one that has expired.
 */
export type NewsKind = 'new-failure' | 'new-not-judged' | 'now-passes' | 'matches-nothing' | 'expired';

export interface BaselineNews {
  readonly kind: NewsKind;
  readonly check: string;
  /** What happened, as a sentence. */
  readonly says: string;
  /** Only with `new-failure`: JSON Pointer of the first place that no entry knows. */
  readonly at?: string;
  /** The entry that it is about; absent with `new-failure` and `new-not-judged`. */
  readonly entry?: BaselineEntry;
}

/**
 * A run beside its baseline. It decides whether the run succeeds; the outcome of the report remains what it would be
 * without a baseline, since what is known is still wrong.
 */
export interface BaselineReport {
  readonly verdict: 'nothing-new' | 'news';
  /** The entries that were met and have not expired. */
  readonly known: readonly BaselineEntry[];
  /** What fails the run. Empty with `nothing-new`. */
  readonly news: readonly BaselineNews[];
}

/** Failures that say the same at several endpoints. */
export interface Cause {
  /** The id of the requirement that is broken. */
  readonly requirement: string;
  /** As the first of them says it. */
  readonly expected: string;
  readonly actual: string;
  /** JSON Pointer below the resource, `*` standing for any index. */
  readonly at?: string;
  /** Ids of the checks that fail of it. */
  readonly checks: readonly string[];
}

/** Answers with a status above 499: no requirement forbids them, and nobody means them. */
export interface ServerErrors {
  readonly count: number;
  /** Each kind of request that met one, and how it is repeated. */
  readonly shown: readonly { readonly endpoint: EndpointId; readonly status: number; readonly curl: string }[];
}

/** A finished run. Reporters are pure functions of it; it holds no token. */
export interface Report {
  readonly tool: { readonly name: 'agent-contract'; readonly version: string };
  /** What was judged, with the identifiers that were given. */
  readonly target: {
    readonly baseUrl: string;
    readonly workspaceId?: string;
    readonly agentId?: string;
    readonly publishedAgentId?: string;
    readonly v5AgentId?: string;
  };
  /** What bears on the verdicts, so that a run can be repeated. */
  readonly options?: { readonly readOnly: boolean; readonly strictNull: boolean; readonly repeat?: number };
  /** Decimal; repeats the run's random choices. */
  readonly seed: number;
  /** RFC 3339, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly outcome: Outcome;
  /** One sentence that says what the outcome rests on. */
  readonly summary: string;
  readonly counts: { readonly pass: number; readonly fail: number; readonly notJudged: number; readonly error: number };
  readonly checks: readonly CheckReport[];
  readonly observations: readonly Observation[];
  readonly observedProfile: ObservedProfile;
  readonly evidence: readonly Evidence[];
  readonly created: readonly CreatedOnTarget[];
  readonly requests: number;
  /** Failures by their cause; missing where nothing failed. */
  readonly causes?: readonly Cause[];
  /** Missing where there were none. */
  readonly serverErrors?: ServerErrors;
  /** Only where others made the requests: how many exchanges were judged, and what was left out of how many, and why. */
  readonly traffic?: {
    readonly judged: number;
    readonly leftOut: readonly {
      readonly reason: string;
      readonly count: number;
      readonly examples: readonly string[];
    }[];
  };
  /** Only where the run was held against a baseline. */
  readonly baseline?: BaselineReport;
}

/** Turns a finished run into text. Pure. `includeBodies` shows the values in bodies where otherwise only types stand. */
export type Reporter = (
  report: Report,
  options: { readonly color: boolean; readonly includeBodies?: boolean },
) => string;
