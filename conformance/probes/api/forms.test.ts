import { forms } from '../../../http/form.ts';
import { createCovering } from '../covering.ts';
import { createForms } from './forms.ts';
import { hash } from '../draw.ts';
import { judgeTiny } from '../../testing/test-run.ts';

describe('a covering', () => {
  const free = { a: ['1', '2', '3'], b: ['1', '2', '3'], c: ['1', '2', '3'], d: ['1', '2'] };

  test.each([
    [2, 16, 45],
    [3, 60, 81],
  ])('meets every combination of %d values in at most %d rows', (size, most, of) => {
    const covering = createCovering([size]);
    let rows = 0;
    do {
      covering.rowFor({}, free);
      rows++;
    } while (covering.covered().some((one) => one.met < one.of));
    expect(rows).toBeLessThanOrEqual(most);
    expect(covering.covered()).toEqual([{ size, met: of, of, unmet: [] }]);
  });

  test('counts what is given only with what is free, and names what was not met', () => {
    const covering = createCovering([2]);
    covering.rowFor({ endpoint: 'x', caller: 'y' }, { form: ['1', '2'] });
    const [{ met, of, unmet } = { met: 0, of: 0, unmet: [] }] = covering.covered();
    expect([met, of, unmet]).toEqual([2, 4, [expect.stringMatching(/=.*, .*=/), expect.any(String)]]);
  });

  test('takes what is preferred where nothing new is to be met', () => {
    const covering = createCovering([2]);
    for (let i = 0; i < 4; i++) covering.rowFor({ one: '1' }, { form: ['usual', 'dear'] });
    expect(covering.rowFor({ one: '1' }, { form: ['usual', 'dear'] })).toEqual({ form: 'usual' });
  });
});

describe('the forms of requests', () => {
  const about = { endpoint: 'list-results', caller: 'wrong', agentId: 'a', query: [['cursor', 'x.y']] } as const;
  const draw = (label: string, below: number): number => hash(label) % below;
  const open = () => createForms({ agents: { get: () => undefined }, draw, isLong: false });
  const formsOf = (more: object, { formFor } = open()) =>
    Array.from({ length: 40 }, () => formFor({ ...about, ...more } as unknown as Parameters<typeof formFor>[0]));

  test('leave a query as it is that may hold a token', () => {
    expect(new Set(formsOf({}).flatMap(Object.keys))).toEqual(new Set(['codings']));
  });

  test('are usual for a list of which the specification leaves open what it holds', () => {
    const query = [...about.query, ['timeZone', 'UTC']];
    expect(new Set(formsOf({ caller: 'valid', query }).flatMap(Object.values))).toEqual(new Set(['usual']));
  });

  test('have no chunks once they were refused', () => {
    const planned = open();
    planned.refuseChunks();
    const all = formsOf({ endpoint: 'create-workspace', caller: 'valid', query: [] }, planned);
    expect(new Set(all.map(({ body }) => body))).toEqual(new Set(forms.body.filter((one) => one !== 'chunked')));
  });

  test.each([1, 2, 3])('meet nearly every pair within a run, with seed %d', async (seed) => {
    const { met, requests } = await judgeTiny({ seed });
    const [pairs = { met: 0, of: 0 }] = met?.combinations ?? [];
    expect(pairs.of).toBeGreaterThan(200);
    expect(pairs.met / pairs.of).toBeGreaterThan(0.97);
    expect(requests).toBeLessThan(450);
  });
});
