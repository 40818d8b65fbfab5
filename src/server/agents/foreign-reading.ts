/** Tells whether what an agent has just done brought foreign text before it. */

/** A tool call as the hooks of hosts describe it. */
export interface ToolUse {
  readonly tool: string;
  /** As the tool was given it; each tool has names of its own. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Which tools Claude Code is to tell of: its own that may bring foreign text, and those of other servers. */
export const WATCHED_TOOLS = 'WebFetch|WebSearch|Read|Bash|mcp__.*';

/** Our own servers bring what is in the store, whose marks tell where it is from. */
const OWN_SERVER = /^mcp_{1,2}svc(?:-memory)?_/;
const OTHER_SERVER = /^mcp_/;
/** The names that hosts gave their tools for the web, as of November 2026. */
const OF_THE_WEB = /web|fetch|browse|https?|url|github|issue|pull_?request/i;
const SHELLS = /bash|shell|terminal|powershell|run_?command|exec/i;
/** Commands that bring what strangers wrote. */
const BRINGS_FROM_OUTSIDE =
  /(?:^|[\s;&|($`])(?:curl|wget|http|https|lynx|w3m|Invoke-WebRequest|iwr|gh\s+(?:issue|pr|api|gist|release|search|run)|glab)(?=\s|$)/;
/** Where package managers put the sources of others. */
const OF_A_DEPENDENCY =
  /(?:^|[\s"'/\\])(?:node_modules|site-packages|dist-packages|vendor|Pods|\.cargo[\\/]registry|\.m2[\\/]repository|\.gradle[\\/]caches|go[\\/]pkg[\\/]mod)[\\/]/;

/** Whether this brought text that neither the user nor the project wrote, as far as names tell. */
export function bringsForeignText({ tool, input }: ToolUse): boolean {
  if (OWN_SERVER.test(tool)) return false;
  if (OTHER_SERVER.test(tool) || OF_THE_WEB.test(tool)) return true;
  const texts = Object.values(input).filter((value) => typeof value === 'string');
  if (SHELLS.test(tool)) return texts.some((text) => BRINGS_FROM_OUTSIDE.test(text) || OF_A_DEPENDENCY.test(text));
  // What it reads, or looks for, is named by a path.
  return texts.some((text) => OF_A_DEPENDENCY.test(text) && text.length <= LONGEST_PATH);
}

/** A longer text is no path: an agent may well write about a dependency. */
const LONGEST_PATH = 4_096;
