// npm run lockfile: completes package-lock.json after dependencies were added or updated.
//
// A registry that holds packages for some platforms only lets npm write a lockfile without the others, and "npm ci"
// then refuses it. What such a package is called, its version and its platform are known from the package that asks
// for it; its checksum is not, so it is left out. npm's own --os and --cpu ask the same registry.
// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, cpu?: string[], os?: string[], libc?: string[],
 *   optionalDependencies?: Record<string, string> }} Locked
 * @typedef {{ packages: Record<string, Locked> }} Lockfile
 */

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];

/** Optional packages that are asked for and have no entry. @param {Lockfile} lock @returns {Record<string, Locked>} */
export function missingEntries({ packages }) {
  /** @type {Record<string, Locked>} */
  const missing = {};
  for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const platform = platformOf(name);
      if (platform && !placesFor(path, name).some((place) => packages[place])) {
        missing[`node_modules/${name}`] = { version, ...(dev ? { dev } : {}), optional: true, ...platform };
      }
    }
  }
  return missing;
}

/** Where Node looks for a package that another one asks for, nearest first. @param {string} path @param {string} name */
function placesFor(path, name) {
  const places = [];
  for (let folder = path; ; folder = folder.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, '')) {
    places.push(folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`);
    if (folder === '') return places;
  }
}

/** From a name such as `@scope/binding-linux-arm-musleabihf`. @param {string} name */
function platformOf(name) {
  const parts = name.split(/[/-]/);
  const os = SYSTEMS.find((system) => parts.includes(system));
  const cpu = PROCESSORS.find((processor) => parts.includes(processor));
  if (!os || !cpu) return undefined;
  const last = parts.at(-1) ?? '';
  const libc = last.startsWith('musl') ? 'musl' : last.startsWith('gnu') ? 'glibc' : undefined;
  return { cpu: [cpu], os: [os], ...(libc && os === 'linux' ? { libc: [libc] } : {}) };
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const missing = missingEntries(lock);
  const packages = Object.entries({ ...lock.packages, ...missing });
  lock.packages = Object.fromEntries(packages.sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`);
  console.log(`${Object.keys(missing).length} packages of other platforms added to package-lock.json`);
}
