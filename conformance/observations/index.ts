import type { Ask } from '../check.ts';

/** What is asked to learn how a target answers what the specification leaves open. */
export const observationAsks: readonly Ask[] = [];
