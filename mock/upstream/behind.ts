import type { MockOptions } from '../mock-core.ts';
import { nothingBehind } from '../session/behind.ts';
import type { Behind } from '../session/running.ts';
import { readUpstream } from './options.ts';

/** The real server that the options name, if they name one: only then its code is loaded. @throws MockError */
export function behindOf(options: Pick<MockOptions, 'upstream'>): Behind {
  if (!options.upstream) return nothingBehind(options);
  const plan = readUpstream(options.upstream);
  const { createUpstream } = require('./forward') as typeof import('./forward.ts');
  const { createSend } = require('./http/send') as typeof import('./http/send.ts');
  return createUpstream(plan, createSend(plan));
}
