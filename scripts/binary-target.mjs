// For which platform the SQLite module was compiled, by loading it: what Node loads is for the platform that Node is for,
// and Node tells that itself. It spares a reader of the formats ELF, Mach-O and PE.
// @ts-check
import { createRequire } from 'node:module';

/**
 * The platform as the Marketplace names it.
 * @param {string} file @returns {string | undefined} such as `linux-x64`; undefined where Node cannot load the module
 */
export function binaryTarget(file) {
  try {
    createRequire(import.meta.url)(file);
  } catch {
    return undefined;
  }
  const system = isMusl() ? 'alpine' : process.platform;
  return `${system}-${process.arch === 'arm' ? 'armhf' : process.arch}`;
}

function isMusl() {
  // The report's form depends on the version of Node, so its type says no more than object.
  const { header } = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return process.platform === 'linux' && header?.glibcVersionRuntime === undefined;
}
