import { jsonDifference, textDifference } from './compare.ts';
import { isOutput, type CodeBlock } from './pages.ts';
import type { Shell } from './shell.ts';

/** The place of a block, for messages. */
export const keyOf = ({ page, line }: CodeBlock): string => `${page}:${line}`;

/**
 * Executes the blocks of a page in order: runs commands, and compares outputs with those of the command before.
 * `commandOf` returns the commands for a block, and `undefined` for one that is not run by itself.
 * @returns what is wrong with each executed block, by place; empty if all is well
 */
export async function follow(
  blocks: readonly CodeBlock[],
  shell: Shell,
  commandOf: (block: CodeBlock) => string | undefined,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const findings = new Map<string, readonly string[]>();
  let written: string | undefined;
  for (const block of blocks) {
    if (block.excuse !== undefined) continue;
    const commands = commandOf(block);
    if (commands !== undefined) {
      const { output, problems } = await shell.run(commands);
      written = output;
      findings.set(keyOf(block), problems);
    } else if (isOutput(block))
      findings.set(
        keyOf(block),
        written === undefined ? ['No command stands before this output.'] : outputProblems(block, written),
      );
  }
  return findings;
}

function outputProblems(block: CodeBlock, written: string): readonly string[] {
  if (block.language !== 'json') return [textDifference(block.text, written) ?? []].flat();
  const line = written.slice(Math.max(0, written.search(/^[[{]/m)));
  try {
    return [jsonDifference(JSON.parse(block.text), JSON.parse(line)) ?? []].flat();
  } catch (error) {
    return [`${String(error)}\n--- written\n${written}`];
  }
}
