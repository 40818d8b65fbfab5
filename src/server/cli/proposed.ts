/** Says what becomes of what a person has to look at first. */
export const WAITS = 'It waits until a person keeps it: "svc-memory review" lists it.';
