import { execFileSync } from 'node:child_process';
import { isSimilar } from '../history/facts/credentials.ts';
import { createRedactor } from '../report/redact.ts';
import { runSecrets } from '../run-options.ts';
import facts from '../testing/facts.json';
import { similarTokens } from './similar-tokens.ts';

const values = (token: string): readonly string[] => similarTokens(token).map(({ value }) => value);

test.each(facts.similarTokens as unknown as [string, string[]][])('those of %s', (token, expected) => {
  expect(values(token)).toEqual(expected);
});

test.each(['mock-write-token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP', 'a', 'zzzzzz', '------'])(
  'none is the token itself, and all resemble it: %s',
  (token) => {
    expect(values(token)).not.toContain(token);
    expect(values(token).filter((value) => !isSimilar(value, token))).toEqual([]);
  },
);

test.each(facts.similar as unknown as [string, string, boolean][])('%s and %s', (one, other, expected) => {
  expect(isSimilar(one, other)).toBe(expected);
});

test('a shell derives them from the token as their placeholders say', () => {
  const token = 'mock-Write-token-9';
  const script = similarTokens(token).map(({ placeholder }) => `printf '%s\\n' "${placeholder}"`);
  const said = execFileSync('bash', ['--norc', '-c', script.join('; ')], { env: { TOKEN: token }, encoding: 'utf8' });
  expect(said.trim().split('\n')).toEqual(values(token));
});

test('no output shows one', () => {
  const token = 'mock-Write-token-9';
  const redactor = createRedactor(runSecrets({ baseUrl: 'http://x', token }));
  for (const value of values(token)) {
    const shown = redactor.text(`Authorization: Bearer ${value}, or ${Buffer.from(`:${value}`).toString('base64')}.`);
    expect(shown).not.toMatch(/mock-w|token-9|write-toke/i);
    expect(shown).not.toContain(Buffer.from(value).toString('base64').slice(4, 12));
  }
});
