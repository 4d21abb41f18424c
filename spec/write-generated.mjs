import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (file) => fileURLToPath(new URL(`../${file}`, import.meta.url));

/**
 * Writes what a script generates, and removes other files from its folders. With --check it writes nothing, and lists the files
 * that are out of date.
 *
 * @param {string} script by its path from the root
 * @param {() => Promise<Map<string, string>>} generate the content of each file, by its path from the root
 * @returns {Promise<number>} the exit status
 */
export async function writeGenerated(script, generate) {
  const args = process.argv.slice(2);
  const unknown = args.find((arg) => arg !== '--check');
  if (unknown !== undefined) {
    console.error(`Unknown argument ${unknown}. Usage: node ${script} [--check]`);
    return 2;
  }
  const wanted = await generate();
  const all = [...wanted.keys()].map((file) => file.slice(0, file.lastIndexOf('/')));
  // Other folders have one generated file each; the rest is not generated.
  const folders = [...new Set(all)].filter((folder) => /\/(?:generated|reference)$/.test(folder));
  for (const folder of folders) mkdirSync(at(folder), { recursive: true });
  const present = folders.flatMap((folder) => readdirSync(at(folder)).map((name) => `${folder}/${name}`));
  const stale = [...wanted.keys()].filter(
    (file) => !existsSync(at(file)) || readFileSync(at(file), 'utf8') !== wanted.get(file),
  );
  const foreign = present.filter((file) => !wanted.has(file));
  if (args.includes('--check')) {
    for (const file of stale) console.error(`${file} is out of date; run: node ${script}`);
    for (const file of foreign) console.error(`${file} is not generated; remove it`);
    return Math.sign(stale.length + foreign.length);
  }
  for (const file of stale) writeFileSync(at(file), wanted.get(file));
  for (const file of foreign) rmSync(at(file), { recursive: true });
  console.error(`${folders.join(', ')}: ${wanted.size} files, ${stale.length} written`);
  return 0;
}
