/** What `--from` takes. Apart from the readers, which are loaded when they are used. */

/** All of them at once. */
export const HERE = 'here';

export const SOURCES = [
  { name: 'adr', about: 'records of decisions (MADR, Nygard) in docs/adr and the like' },
  { name: 'agents-md', about: 'AGENTS.md' },
  { name: 'claude-md', about: 'CLAUDE.md, CLAUDE.local.md, .claude/rules' },
  { name: 'copilot', about: 'instructions in .github' },
  { name: 'cursor', about: '.cursor/rules, .cursorrules' },
  { name: 'windsurf', about: '.windsurf/rules, .windsurfrules' },
  { name: 'cline', about: '.clinerules' },
  { name: 'memory-bank', about: 'memory-bank of Cline and Roo Code' },
  { name: 'claude-memory', about: "Claude's own memory of this folder, in ~/.claude" },
  { name: 'claude-mem', about: 'the database of claude-mem, what it holds of this folder' },
  { name: 'vscode-memory', about: "memory files of VS Code's chat" },
  { name: 'basic-memory', about: 'notes of basic-memory, in the project' },
  { name: 'changelog', about: 'CHANGELOG.md, also of changesets or conventional commits' },
  { name: 'git-log', about: 'decisions, reverts and fixes that say why' },
] as const;

export type SourceName = (typeof SOURCES)[number]['name'];
