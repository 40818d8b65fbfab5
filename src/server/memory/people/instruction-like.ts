/** Tells whether a memory reads like an instruction to an agent. */

/** What makes it read so. */
export const SUSPICIONS = ['overrides', 'hides', 'sends', 'runs', 'credentials'] as const;
export type Suspicion = (typeof SUSPICIONS)[number];

/** What follows is not looked at: who hides an instruction wants it to be read. */
const MOST_READ = 4_000;

/** All of them look ahead a bounded number of characters, so that no text takes long. */
const OVERRIDES =
  /\b(?:ignore|disregard|override|forget|bypass)\b[^.\n]{0,40}\b(?:previous|prior|earlier|above|other|all|system|safety)\b[^.\n]{0,30}\b(?:instructions?|rules?|memor(?:y|ies)|guidelines?|prompts?|checks?|warnings?)\b/i;
const HIDES =
  /\b(?:do not|don't|never|without)\b[^.\n]{0,15}\b(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|ask(?:ing)?|notify(?:ing)?|show(?:ing)?|reveal(?:ing)?|report(?:ing)?)\b[^.\n]{0,30}\b(?:user|users|human|anyone|anybody|person|developer|owner|them|it|this)\b|\b(?:secretly|silently|quietly)\b[^.\n]{0,40}\b(?:run|send|add|install|upload|copy|include|call|execute|insert|commit)\b/i;
/** What tells somebody to do something, at the start of a clause. */
const DONE =
  'run|execute|call|invoke|use|send|post|fetch|get|download|upload|curl|copy|paste|include|append|add|e-?mail|forward|read|print|write|install|open|visit|leak|exfiltrate|commit|push';
const TOLD = new RegExp(
  `(?:^|[.;:!?,\\n]\\s*|\\b(?:always|must|should|please|first|then|you|and)\\s+|\\b(?:every|each|any)\\b[^.\\n]{0,40}\\s)(?:${DONE})\\b`,
  'i',
);
const ADDRESS =
  /\b(?:https?|ftp|wss?):\/\/(?!localhost\b|127\.0\.0\.1\b)[^\s"')]{4,}|\b[\w.+-]{1,64}@[\w-]{1,64}\.[a-z]{2,10}\b/i;
const COMMAND =
  /\b(?:curl|wget|bash|sh|zsh|powershell|eval|base64|nc|ncat|chmod|sudo)\s+[-\w/.~"'$(]|\|\s*(?:ba|z)?sh\b|\brm\s+-rf?\b|\b(?:npm|pnpm|yarn|pip|gem|cargo|go)\s+(?:i|install|add|get)\s+\S|\bmcp__\w+|\b[a-z]+_[a-z_]+\s?\(/i;
const CREDENTIAL =
  /\b(?:api[ _-]?keys?|access[ _-]?keys?|(?:auth |access |bearer )?tokens?|passwords?|passphrases?|credentials?|secrets?|private keys?|ssh keys?|\.env\b|\.npmrc\b|\.aws\b|id_rsa|cookies?)\b/i;

/**
 * Why a text reads like an instruction to an agent; empty for one that does not. A rule of the project may read so, too:
 * it is for a person to look at, and never a reason to hide anything.
 */
export function suspicionsOf(content: string): Suspicion[] {
  const text = content.slice(0, MOST_READ);
  const told = TOLD.test(text);
  const found: Suspicion[] = [];
  if (OVERRIDES.test(text)) found.push('overrides');
  if (HIDES.test(text)) found.push('hides');
  if (told && ADDRESS.test(text)) found.push('sends');
  if (told && COMMAND.test(text) && (ADDRESS.test(text) || found.length > 0)) found.push('runs');
  if (told && CREDENTIAL.test(text) && (ADDRESS.test(text) || COMMAND.test(text) || found.length > 0)) {
    found.push('credentials');
  }
  return found;
}
