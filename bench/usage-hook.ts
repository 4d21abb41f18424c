import { writeSync } from 'node:fs';

/** Loaded before a program, writes what it used to file descriptor 3 when it ends. */
process.on('exit', () => {
  const { maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ kilobytes: maxRSS }));
});
