// @ts-check
import { closeSync, openSync, readSync } from 'node:fs';

/** Enough for what the first lines of an executable file say. */
const HEAD_BYTES = 4096;

const ELF_MACHINES = new Map([
  [0x3e, 'x64'],
  [0xb7, 'arm64'],
  [0x28, 'armhf'],
]);
const MACH_PROCESSORS = new Map([
  [0x01000007, 'x64'],
  [0x0100000c, 'arm64'],
]);
const PE_MACHINES = new Map([
  [0x8664, 'x64'],
  [0xaa64, 'arm64'],
]);

/**
 * The platform that a compiled module is for, as the Marketplace names it, read from the file itself. A Linux module
 * does not tell musl from glibc there: whoever runs this has compiled it, so the running Node does.
 * @param {string} file @returns {string | undefined} such as `linux-x64`
 */
export function binaryTarget(file) {
  const head = headOf(file);
  if (head.readUInt32BE(0) === 0x7f454c46) {
    return named(isMusl() ? 'alpine' : 'linux', ELF_MACHINES.get(head.readUInt16LE(18)));
  }
  if (head.readUInt32LE(0) === 0xfeedfacf) return named('darwin', MACH_PROCESSORS.get(head.readUInt32LE(4)));
  if (head.readUInt16LE(0) === 0x5a4d) {
    const at = head.readUInt32LE(0x3c);
    return at + 6 <= head.length ? named('win32', PE_MACHINES.get(head.readUInt16LE(at + 4))) : undefined;
  }
  return undefined;
}

/** @param {string} system @param {string | undefined} processor */
function named(system, processor) {
  return processor && `${system}-${processor}`;
}

/** @param {string} file */
function headOf(file) {
  const head = Buffer.alloc(HEAD_BYTES);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, head, 0, HEAD_BYTES, 0);
  } finally {
    closeSync(handle);
  }
  return head;
}

function isMusl() {
  // The report's form depends on the version of Node, so its type says no more than object.
  const { header } = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return process.platform === 'linux' && header?.glibcVersionRuntime === undefined;
}
