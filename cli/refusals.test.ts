import { literal } from '../text/literal.ts';
import refusals from './testing/refusals.json';
import { testFolder } from './testing/test-io.ts';

interface Row {
  /** What is typed after the name of the program; a text is parted at its blanks. */
  readonly args: string | readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Default: 2. */
  readonly status?: number;
  /** What standard error contains, where … stands for any text. */
  readonly says: string;
}

const { run, write } = testFolder();
for (const [name, content] of Object.entries(refusals.files)) write(name, content);

test.each(refusals.rows as readonly Row[])(
  '$args is refused in clear words',
  async ({ args, env, status = 2, says }) => {
    const { stderr, ...ended } = await run(typeof args === 'string' ? args.split(' ') : args, { env });
    expect(stderr.replace(/^(?:note|mock on) .*\n/gm, '')).toMatch(/^error: /);
    expect(stderr).toMatch(new RegExp(says.split('…').map(literal).join('[^]*')));
    expect(stderr).not.toMatch(/\n\s+at |DEBUG|secret/);
    expect(ended).toEqual({ status, stdout: '' });
  },
);
