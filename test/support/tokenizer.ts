import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTokenizer, type TokenCounter } from '../../src/server/render/tokens';

let opened: TokenCounter | undefined;

/** The tokenizer that the servers use, on a table that is built once in each test process. */
export async function realTokenizer(): Promise<TokenCounter> {
  if (opened) return opened;
  const folder = mkdtempSync(join(tmpdir(), 'svc-tokens-'));
  try {
    // Through a variable, because the script is plain JavaScript without types.
    const script = new URL('../../scripts/build-token-ranks.mjs', import.meta.url).href;
    const { buildTokenRanks } = (await import(script)) as { buildTokenRanks(outFile: string): void };
    buildTokenRanks(join(folder, 'o200k_base.bin'));
    opened = openTokenizer(readFileSync(join(folder, 'o200k_base.bin')));
    return opened;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
