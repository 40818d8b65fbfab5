/** What a caller of a team's server says in `_meta` of a call: both ends read it here. */

/** That the call is the same as one before with this key. */
export const CALL_KEY = 'svc-memory/call-key';
/** That the value of the answer is wanted beside its text; the answer has it under the same name. */
export const VALUE_KEY = 'svc-memory/value';
