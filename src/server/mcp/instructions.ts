/** What a host puts before its model: paid for in every conversation, and all that some models see. */
import { CORE_TOOLS, PURPOSE, RULES } from '../guidance/sentences';

export const INSTRUCTIONS = [
  // All that some hosts show of it until the tools are loaded (Codex 0.169).
  `${PURPOSE} Load first, together: ${CORE_TOOLS.join(', ')}.`,
  ...[RULES.begin, RULES.edit, RULES.store, RULES.leaveOut, RULES.recallFirst].map(bullet),
  ...[RULES.about, RULES.record, RULES.end].map(bullet),
].join('\n');

function bullet(sentence: string): string {
  return `- ${sentence}`;
}
