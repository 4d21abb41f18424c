import { putLoad, type Load } from './load.ts';

/** A separate process that generates the load in its first argument (JSON), and writes its measurements. */
async function main(): Promise<void> {
  const measured = await putLoad(JSON.parse(process.argv[2] ?? '') as Load);
  process.stdout.write(JSON.stringify(measured));
}

void main();
