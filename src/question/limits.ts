/** What a host socket takes. Lengths are in characters (UTF-16 units); what `svc ingest` asks stays far below. */

/** A question with everything around it. */
export const MAX_MESSAGE_BYTES = 256_000;
export const MAX_PATH_LENGTH = 4_096;
export const MAX_HEADING_LENGTH = 2_000;
/** Of Markdown; a longer section of a document is cut before. */
export const MAX_SECTION_LENGTH = 16_000;
export const MOST_CANDIDATES = 16;
export const MAX_WORD_LENGTH = 200;
/** A qualified name. */
export const MAX_NAME_LENGTH = 2_000;
/** A signature, or a doc comment. */
export const MAX_SUMMARY_LENGTH = 1_000;
export const MOST_SECTIONS = 1_000_000;
/** Of a model: verdicts on a few candidates with a sentence each, and what it thinks of saying before. */
export const MAX_ANSWER_LENGTH = 40_000;
/** What any model is asked for at most, thinking included. */
export const MAX_ANSWER_TOKENS = 8_000;

export const MOST_CONNECTIONS = 8;
/** Of one connection, answered and waiting; as many as `--concurrency` asks at most. */
export const MOST_QUESTIONS = 32;
/** Of all connections: the model has one account behind it. */
export const MOST_AT_ONCE = 4;
/** A question holds a turn no longer: a client asks its user first, who thinks. */
export const ANSWER_TIMEOUT_MS = 600_000;
