import { existsSync, readFileSync, writeSync } from 'node:fs';

const STATUS = '/proc/self/status';

/**
 * Loaded before a program; writes the most memory that it occupied to file descriptor 3 at its end.
 * On Linux `maxRSS` starts at what the parent occupied when it started this process, so the kernel's own line is read there.
 */
process.on('exit', () => {
  const line = existsSync(STATUS) ? /VmHWM:\s+(\d+) kB/.exec(readFileSync(STATUS, 'utf8')) : null;
  const kilobytes = line ? Number(line[1]) : process.resourceUsage().maxRSS;
  writeSync(3, JSON.stringify({ kilobytes }));
});
