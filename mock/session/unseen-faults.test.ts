import { createMock, type MockOptions } from '../index.ts';
import { unseenFaults } from './unseen-faults.ts';

const tokens = { only: 'write' } as const;

test.each<[string, MockOptions, string | undefined]>([
  ['limit-ignored@after-a-second', { frozen: true }, 'the clock is stopped; advance it after the first request'],
  ['limit-ignored@after-a-second', {}, undefined],
  ['get-agent-answer-wrapped@read-tokens', {}, undefined],
  ['get-agent-answer-wrapped@read-tokens', { tokens }, 'every token may write'],
  ['get-agent-mode-always-write', { tokens }, 'every token may write'],
  ['get-agent-mode-always-guest', { tokens: { g: 'guest' } }, 'no token may only read'],
  ['get-agent-mode-always-guest', {}, undefined],
  ['limit-ignored', { persona: 'empty' }, 'no agent of this world has results'],
  ['get-agent-refused@given-agents', { persona: 'empty' }, 'no agent of this world has results'],
  ['get-agent-answer-misshapen:/agent/name=wrong-type', { persona: 'empty' }, undefined],
  ['EMPTY_RESPONSE', { persona: 'empty' }, undefined],
])('of %s under %j it is said why it cannot show: %s', (fault, options, why) => {
  const notes = why === undefined ? [] : [`The fault ${fault} cannot show: ${why}.`];
  expect(unseenFaults(createMock({ ...options, faults: [fault] }))).toEqual(notes);
});
