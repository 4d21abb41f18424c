import { writeSync } from 'node:fs';

/** Loaded before a program; writes its resource usage to file descriptor 3 at its end. */
process.on('exit', () => {
  const { maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ kilobytes: maxRSS }));
});
