/** Judges a client of the Agent Builder Service by its own tests. */
export { judgeClient, type JudgeClientOptions } from './judge-client.ts';
export { canDeploy, readNeeds, type Deployment } from './deploy.ts';
export { clientReporters } from './reporters/index.ts';
export { knownFindings, withKnownFindings } from './report.ts';
export type * from './report.ts';
export type { ClientTests } from './runs/run-functions.ts';
export type { MockOfRun } from './runs/run-command.ts';
export type { KnownTrials } from './trials.ts';
export { UsageError } from '../conformance/usage-error.ts';
