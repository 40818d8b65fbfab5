import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workbench } from './workbench';

/** What the extension has written into its output channel, in all windows of this workbench. */
export function extensionLog({ data }: Workbench): string {
  const folder = join(data, 'logs');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('Agent Memory.log'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
}

/** The servers that the extension has last offered to the editor, by their names. */
export function offeredToAgents(workbench: Workbench): string | undefined {
  return [...extensionLog(workbench).matchAll(/Offered to agents: (.*)/g)].at(-1)?.[1];
}
