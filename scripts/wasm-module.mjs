// What a WebAssembly module is made of: its sections, its functions and their instructions; for split-lexers.mjs. Libraries
// write a module anew from a tree of it; here every byte stays that is not of a function that is split.
// @ts-check

/** @typedef {{ op: number, numbers: number[], start: number, end: number, depth: number }} Instruction */
/** @typedef {{ id: number, content: Buffer }} Section */

/** Something is not as it was expected. */
export class Unexpected extends Error {}

/** The numbers of instructions. */
export const OP = {
  ...{ block: 0x02, loop: 0x03, if: 0x04, else: 0x05, end: 0x0b, br: 0x0c, brIf: 0x0d, brTable: 0x0e, return: 0x0f },
  ...{ call: 0x10, get: 0x20, set: 0x21, tee: 0x22, getGlobal: 0x23, setGlobal: 0x24, constant: 0x41, subtract: 0x6b },
};

/** @param {Instruction} instruction */
export function opens({ op }) {
  return op === OP.block || op === OP.loop || op === OP.if;
}

/** @param {Buffer} body */
export function instructionsOf(body) {
  const reader = readerOf(body);
  for (let groups = reader.unsigned(); groups > 0; groups--) {
    reader.unsigned();
    reader.skip(1);
  }
  const locals = body.subarray(0, reader.at());
  /** @type {Instruction[]} */
  const code = [];
  let depth = 0;
  while (reader.at() < body.length) {
    const start = reader.at();
    const op = reader.byte();
    const numbers = numbersAfter(op, reader);
    if (op === OP.end || op === OP.else) depth -= 1;
    const instruction = { op, numbers, start, end: reader.at(), depth };
    code.push(instruction);
    if (opens(instruction) || op === OP.else) depth += 1;
  }
  return { code, locals };
}

/** @param {number} op @param {ReturnType<typeof readerOf>} reader */
function numbersAfter(op, reader) {
  if (op === OP.block || op === OP.loop || op === OP.if || op === OP.constant) return [reader.signed()];
  if (op === OP.br || op === OP.brIf || op === OP.call || (op >= OP.get && op <= OP.setGlobal))
    return [reader.unsigned()];
  if (op === OP.brTable) return Array.from({ length: reader.unsigned() + 1 }, reader.unsigned);
  // An indirect call; loading and storing.
  if (op === 0x11 || (op >= 0x28 && op <= 0x3e)) return [reader.unsigned(), reader.unsigned()];
  // Unreachable, nothing, drop, select; arithmetic of whole numbers.
  const others = [0x00, 0x01, OP.else, OP.end, OP.return, 0x1a, 0x1b];
  expect(others.includes(op) || (op >= 0x45 && op <= 0xc4));
  return [];
}

/** @param {Buffer} module @returns {Section[]} */
export function sectionsOf(module) {
  const reader = readerOf(module);
  reader.skip(8);
  const sections = [];
  while (reader.at() < module.length) sections.push({ id: reader.byte(), content: reader.bytes(reader.unsigned()) });
  return sections;
}

/** @param {Buffer} content */
export function bodiesOf(content) {
  const reader = readerOf(content);
  return Array.from({ length: reader.unsigned() }, () => reader.bytes(reader.unsigned()));
}

/** @param {Buffer} content */
export function numbersOf(content) {
  const reader = readerOf(content);
  return Array.from({ length: reader.unsigned() }, reader.unsigned);
}

/** @param {Buffer} content */
export function typesOf(content) {
  const reader = readerOf(content);
  return Array.from({ length: reader.unsigned() }, () => {
    const start = reader.at();
    reader.skip(1);
    reader.bytes(reader.unsigned());
    reader.bytes(reader.unsigned());
    return content.subarray(start, reader.at());
  });
}

/** How many functions a module imports. @param {Buffer} content */
export function importedFunctions(content) {
  const reader = readerOf(content);
  const limits = () => {
    const hasMost = reader.byte() & 1;
    reader.unsigned();
    if (hasMost) reader.unsigned();
  };
  let functions = 0;
  for (let left = reader.unsigned(); left > 0; left--) {
    reader.bytes(reader.unsigned());
    reader.bytes(reader.unsigned());
    const kind = reader.byte();
    if (kind === 0) {
      functions += 1;
      reader.unsigned();
    } else if (kind === 1) {
      reader.skip(1);
      limits();
    } else if (kind === 2) limits();
    else reader.skip(2);
  }
  return functions;
}

/** @param {Buffer} bytes */
function readerOf(bytes) {
  let at = 0;
  const number = (/** @type {boolean} */ isSigned) => {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = bytes.readUInt8(at++);
      value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte & 0x80);
    if (!isSigned) return value >>> 0;
    return shift < 32 && byte & 0x40 ? value | (-1 << shift) : value;
  };
  const take = (/** @type {number} */ length) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  return {
    at: () => at,
    byte: () => bytes.readUInt8(at++),
    bytes: take,
    skip: take,
    unsigned: () => number(false),
    signed: () => number(true),
  };
}

/** @param {number} value */
export function unsigned(value) {
  const bytes = [];
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return Buffer.from([...bytes, value]);
}

/** @param {number} value not negative */
export function signed(value) {
  const bytes = [];
  for (; value > 0x3f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return Buffer.from([...bytes, value]);
}

/** @param {boolean} condition */
export function expect(condition) {
  if (!condition) throw new Unexpected();
}
