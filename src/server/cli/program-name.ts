export const PROGRAM = 'svc-memory';
