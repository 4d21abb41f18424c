// Prints the lines of each room beside its budget (`npm run size`, `--json` for programs). Rooms and budgets are in rooms.json;
// where a room has an aim, it is to become that small.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const budgets = JSON.parse(readFileSync(new URL('rooms.json', import.meta.url), 'utf8'));
const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => /\.[cm]?[jt]s$/.test(file) && !file.includes('/generated/') && existsSync(`${root}/${file}`));

const isTest = (file) => file.endsWith('.test.ts');
const count = (some) =>
  some.reduce((sum, file) => sum + readFileSync(`${root}/${file}`, 'utf8').split('\n').length - 1, 0);

const rooms = Object.entries(budgets.rooms).map(([room, { budget, aim = budget, idea }]) => {
  const inside = files.filter((file) => file.startsWith(`${room}/`) && !isTest(file));
  return { room, idea, budget, aim, lines: count(inside) };
});
const total = (of) => rooms.reduce((sum, row) => sum + row[of], 0);
const rows = [
  ...rooms,
  { room: 'all', idea: 'without tests', budget: total('budget'), aim: total('aim'), lines: total('lines') },
  { room: 'tests', idea: 'in all rooms', ...budgets.tests, lines: count(files.filter(isTest)) },
];
const without = files.filter((file) => file.includes('/') && !(file.split('/')[0] in budgets.rooms));

if (process.argv.includes('--json')) console.log(JSON.stringify({ rows, without }));
else
  for (const { room, lines, budget, aim, idea } of rows) {
    const over = lines > budget ? 'OVER' : '';
    console.log(
      `${room.padEnd(12)} ${String(lines).padStart(6)} of ${String(budget).padStart(6)}  ${over.padEnd(4)}  aim ${String(aim).padStart(6)}  ${idea}`,
    );
  }
