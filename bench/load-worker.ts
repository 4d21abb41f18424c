import { putLoad, type Load } from './load.ts';

/** A process of its own that puts the load of its first argument (JSON) and writes what it measured. */
async function main(): Promise<void> {
  const measured = await putLoad(JSON.parse(process.argv[2] ?? '') as Load);
  process.stdout.write(JSON.stringify(measured));
}

void main();
