// Vitest's global set-up: tests of executables run what is built, also where vitest is not started by `npm test`.
export { buildChanged as default } from '../../scripts/setup.mjs';
