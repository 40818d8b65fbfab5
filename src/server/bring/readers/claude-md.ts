/** What Claude Code reads at its start. Files that others name with `@path` are brought where they are rules themselves. */
import { ruleReader } from '../rules';

export const claudeMd = ruleReader({
  name: 'claude-md',
  files: ['CLAUDE.md', '.claude/CLAUDE.md', 'CLAUDE.local.md'],
  folder: { path: '.claude/rules', pattern: /\.md$/i },
  globs: 'paths',
});
