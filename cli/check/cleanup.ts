import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createRedactor, visible } from '../../conformance/report/redact.ts';
import type { Report } from '../../conformance/report/report.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import type { Cli } from '../command.ts';
import { messageOf } from '../errors.ts';

/** The most milliseconds for one resource. */
const PATIENCE = 30_000;
/** The target names its resources: nothing that a program could take for a flag, or a path elsewhere. */
const PLAIN = /^[A-Za-z0-9][\w.:~-]*$/;

/**
 * Removes what a run created by a command of the user, the latest first. It says what could not be removed, which changes no
 * verdict. @throws UsageError for a command without a place for the id
 */
export function cleanupOf({ io, secrets }: Cli, template: string | undefined) {
  if (template === undefined) return undefined;
  const words = template.split(' ').filter((word) => word !== '');
  if (words.length < 2 || words[0]?.includes('{') || !template.includes('{id}'))
    throw new UsageError(
      "--cleanup: this must be a command with {id} among its arguments: 'node remove.mjs {kind} {id}'.",
    );
  return async (created: Report['created']): Promise<void> => {
    let failed = 0;
    const fail = (kind: string, id: string, why: string): void => {
      failed++;
      io.stderr.write(`cleanup of ${kind} ${visible(id)}: ${visible(createRedactor(secrets).text(why))}\n`);
    };
    for (const { kind, id } of created.toReversed()) {
      if (!PLAIN.test(id)) {
        fail(kind, id, 'this id is not put into a command.');
        continue;
      }
      const [program = '', ...args] = words.map((word) => word.replaceAll('{kind}', kind).replaceAll('{id}', id));
      await promisify(execFile)(program, args, { cwd: io.cwd, env: io.env, timeout: PATIENCE }).catch(
        (error: unknown) => fail(kind, id, messageOf(error).trim().slice(0, 300)),
      );
    }
    io.stderr.write(`cleanup: ${created.length - failed} of ${created.length} resources done.\n`);
  };
}
