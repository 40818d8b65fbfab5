/** The table of what is brought: docs/behaviour.md, "Bringing what is there". CONTRIBUTING.md has the recipe. */
import { adr } from './readers/adr';
import { agentsMd } from './readers/agents-md';
import { basicMemory } from './readers/basic-memory';
import { changelog } from './readers/changelog';
import { claudeMd } from './readers/claude-md';
import { claudeMem } from './readers/claude-mem';
import { claudeMemory } from './readers/claude-memory';
import { cline } from './readers/cline';
import { copilot } from './readers/copilot';
import { cursor } from './readers/cursor';
import { gitLog } from './readers/git-log';
import { memoryBank } from './readers/memory-bank';
import { vscodeMemory } from './readers/vscode-memory';
import { windsurf } from './readers/windsurf';
import type { SourceReader } from './source-reader';

/** In the order in which they are shown. Of two sources that say the same, the first one counts. */
export const READERS: readonly SourceReader[] = [
  ...[adr, agentsMd, claudeMd, copilot, cursor, windsurf, cline],
  ...[memoryBank, claudeMemory, claudeMem, vscodeMemory, basicMemory, changelog, gitLog],
];
