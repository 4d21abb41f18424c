import { visible } from '../../text/visible.ts';
import { isLoopback } from '../../http/local-names.ts';
import { isUnspecified } from './certificate.ts';
import { messageOf, UsageError } from '../errors.ts';
import type { Io } from '../io.ts';

/** Only pages of this machine are opened. @throws UsageError */
export function checkOpenable(host: string): void {
  if (!isLoopback(host) && !isUnspecified(host))
    throw new UsageError(
      `--open: this opens only pages of this machine, not of ${visible(host)}. Leave out --open or --host.`,
    );
}

/** Opens a page of a local server in the browser, and reports a failure. */
export async function openPage(url: string, { stderr }: Io): Promise<void> {
  const page = url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
  const failed = (error: unknown): void =>
    void stderr.write(`warning: cannot open a browser (${visible(messageOf(error))}). The page is ${page}\n`);
  try {
    const { default: open } = await import('open');
    const browser = await open(page);
    browser.once('error', failed);
    browser.once('exit', (status) => {
      if (status !== null && status !== 0) failed(new Error(`its launcher ended with ${status}`));
    });
  } catch (error) {
    failed(error);
  }
}
