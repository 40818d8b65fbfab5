/** How long, and how often, providers are asked. */

/** For one attempt, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 60_000;
/** For one question with all attempts. */
export const QUESTION_TIMEOUT_MS = 120_000;
/** The same for a model on this machine. */
export const LOCAL_TIMEOUT_MS = 300_000;
/** Between two attempts, whatever the server asks for. */
export const MOST_WAIT_MS = 30_000;
/** A host that asks its user first may take longer. */
export const PATIENT_TIMEOUT_MS = 600_000;
/** After the first attempt, waiting longer each time. */
export const MAX_RETRIES = 4;
/** A probe must not hold up the choice of a provider. */
export const PROBE_TIMEOUT_MS = 1_500;
