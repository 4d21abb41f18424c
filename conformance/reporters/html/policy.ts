import { createHash } from 'node:crypto';

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** A Content-Security-Policy that loads nothing, and applies this style alone, by its hash; `more` may allow scripts. */
export function contentPolicy(style: string, ...more: readonly string[]): string {
  const rules = ["default-src 'none'", `style-src ${hashOf(style)}`, 'img-src data:', "base-uri 'none'"];
  return [...rules, "form-action 'none'", ...more].join('; ');
}

/** A rule that allows one script. */
export const allowScript = (script: string): string => `script-src ${hashOf(script)}`;
