import refused from './refused.json';

/** Why a file that begins so is no recording, and what to do instead; `undefined` for one that nobody knows. */
export function whyNot(head: Buffer): string | undefined {
  const text = head.toString('latin1');
  const found = refused.find(({ begins, flags }) => new RegExp(begins, flags).test(text));
  return found && `it is ${found.name}: ${found.instead}`;
}
