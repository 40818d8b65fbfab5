// Part of the build: makes the lexers of the largest grammars small enough for V8. What it takes apart is the shape that
// one compiler gives them, so no library does it.
// @ts-check
/**
 * Splits the largest functions of a grammar's WebAssembly, its lexers, into one function for each state.
 *
 * A lexer is one function: a loop around a table of jumps, with the code of each state behind it. Some grammars come
 * compiled without optimisation, with lexers of up to 160 KB, and V8 needs 500 MB to optimise one of those. In small
 * pieces it needs next to nothing. Code without optimisation keeps its variables in memory, so that the code of a state
 * can stand in a function of its own that gets the address of these variables and answers where to go on:
 *
 *     block … block  br_table …  end  A  end  B  …        A and B jump to labels around all of this
 *     block … block  br_table …  end  where(a(frame))  end  where(b(frame))  …
 *
 * A function is left as it is where anything in it is not as described here.
 */

import {
  bodiesOf,
  expect,
  importedFunctions,
  instructionsOf,
  numbersOf,
  OP,
  opens,
  sectionsOf,
  signed,
  typesOf,
  Unexpected,
  unsigned,
} from './wasm-module.mjs';

const [TYPES, IMPORTS, FUNCTIONS, CODE] = [1, 2, 3, 10];
const I32 = 0x7f;
/** The type of a block that takes and leaves nothing. */
const NOTHING = -64;
/** `bool lex(TSLexer *, TSStateId)`; those of its states have the same type, and get the address of the variables. */
const LEXER_TYPE = Buffer.from([0x60, 2, I32, I32, 1, I32]);
/** Optimising a smaller function costs little. */
const LARGE = 25_000;
/** A table of fewer jumps is none of states. */
const FEWEST_STATES = 20;

/** @typedef {import('./wasm-module.mjs').Instruction} Instruction */

/**
 * @param {Buffer} module
 * @returns {{ module: Buffer, split: number }} how many functions were split
 */
export function splitLexers(module) {
  const sections = sectionsOf(module);
  const [types, imports, functions, code] = [TYPES, IMPORTS, FUNCTIONS, CODE].map(
    (id) => sections.find((one) => one.id === id) ?? { id, content: Buffer.from([0]) },
  );
  if (!types || !imports || !functions || !code) return { module, split: 0 };
  const typeOf = numbersOf(functions.content);
  const lexerType = typesOf(types.content).findIndex((type) => type.equals(LEXER_TYPE));
  const first = importedFunctions(imports.content) + typeOf.length;
  const bodies = bodiesOf(code.content);
  /** @type {Buffer[]} */
  const added = [];
  let split = 0;
  for (const [i, body] of bodies.entries()) {
    if (body.length < LARGE || typeOf[i] !== lexerType) continue;
    const parts = quietly(() => splitLexer(body, first + added.length));
    if (!parts) continue;
    bodies[i] = parts.main;
    added.push(...parts.states);
    split += 1;
  }
  const typesNow = [...typeOf, ...added.map(() => lexerType)];
  functions.content = Buffer.concat([typesNow.length, ...typesNow].map(unsigned));
  const all = [...bodies, ...added];
  code.content = Buffer.concat([unsigned(all.length), ...all.flatMap((body) => [unsigned(body.length), body])]);
  const written = sections.flatMap(({ id, content }) => [Buffer.from([id]), unsigned(content.length), content]);
  return { module: split === 0 ? module : Buffer.concat([module.subarray(0, 8), ...written]), split };
}

/**
 * @param {Buffer} body
 * @param {number} first the index of the first function that is added
 */
function splitLexer(body, first) {
  const { code, locals } = instructionsOf(body);
  const frame = frameOf(code);
  const table = code.findIndex(({ op, numbers }) => op === OP.brTable && numbers.length > FEWEST_STATES);
  const labels = openAt(code, table);
  const loop = code.findLastIndex((one, i) => i < table && one.op === OP.loop && labels.includes(one));
  expect(table > 0 && loop > 0 && standsAlone(code.slice(loop, table), frame, true));
  const ends = endsAround(code, table);
  /** @type {Buffer[]} */
  const states = [];
  const main = [body.subarray(0, code[ends[0] ?? 0]?.start)];
  for (const [i, at] of ends.entries()) {
    main.push(body.subarray(code[at]?.start, code[at]?.end));
    const state = code.slice(at + 1, ends[i + 1]);
    expect(standsAlone(state, frame));
    if (state.length < 3 || state.some(({ op }) => op === OP.return)) {
      main.push(...state.map(({ start, end }) => body.subarray(start, end)));
      continue;
    }
    const exits = exitsOf(state);
    const around = labels.slice(0, labels.length - i - 1);
    expect(exits.every((label) => around.at(-1 - label)?.numbers[0] === NOTHING));
    main.push(callOf(first + states.length, frame, exits));
    states.push(stateFunction(body, state, { locals, frame, exits }));
  }
  expect(states.length >= FEWEST_STATES);
  return { main: Buffer.concat(main), states };
}

/**
 * The code of a state as a function: it answers 0 to go on behind it, else the number of the exit that it takes.
 * @param {Buffer} body @param {Instruction[]} state
 * @param {{ locals: Buffer, frame: number, exits: number[] }} how
 */
function stateFunction(body, state, { locals, frame, exits }) {
  const outside = state[0]?.depth ?? 0;
  const content = state.map(({ op, numbers, start, end, depth }) => {
    if (op !== OP.br && op !== OP.brIf && op !== OP.brTable) return body.subarray(start, end);
    const within = depth - outside;
    const moved = numbers.map((label) => (label < within ? label : within + exits.indexOf(label - within)));
    const count = op === OP.brTable ? [unsigned(moved.length - 1)] : [];
    return Buffer.concat([Buffer.from([op]), ...count, ...moved.map(unsigned)]);
  });
  const answers = exits.flatMap((_, i) => [
    Buffer.from([OP.end, OP.constant]),
    signed(i + 1),
    Buffer.from([OP.return]),
  ]);
  return Buffer.concat([
    ...[locals, Buffer.from([OP.get, 0, OP.set]), unsigned(frame)],
    ...[Buffer.from(exits.flatMap(() => [OP.block, 0x40])), ...content],
    ...[Buffer.from([OP.constant, 0, OP.return]), ...answers, Buffer.from([0x00, OP.end])],
  ]);
}

/** What stands in the place of a state. @param {number} index @param {number} frame @param {number[]} exits */
function callOf(index, frame, exits) {
  const address = Buffer.concat([Buffer.from([OP.get]), unsigned(frame)]);
  // One label more stands around the table, which leads behind it.
  const targets = [0, ...exits.map((label) => label + 1), 0].map(unsigned);
  return Buffer.concat([
    ...[Buffer.from([OP.block, 0x40]), address, address, Buffer.from([OP.call]), unsigned(index)],
    ...[Buffer.from([OP.brTable]), unsigned(exits.length + 1), ...targets, Buffer.from([OP.end])],
  ]);
}

/** Where this code leads to outside of it, in labels as they count from there. @param {Instruction[]} state */
function exitsOf(state) {
  const outside = state[0]?.depth ?? 0;
  const exits = state.flatMap(({ op, numbers, depth }) =>
    op === OP.br || op === OP.brIf || op === OP.brTable ? numbers.map((label) => label - (depth - outside)) : [],
  );
  return [...new Set(exits.filter((label) => label >= 0))];
}

/**
 * The ends of what stands around an instruction, from the inside to the outside.
 * @param {Instruction[]} code @param {number} at
 */
function endsAround(code, at) {
  const ends = [];
  let next = (code[at]?.depth ?? 0) - 1;
  for (const [i, { op, depth }] of code.entries()) {
    if (i < at || op !== OP.end || depth !== next) continue;
    ends.push(i);
    next -= 1;
  }
  return ends;
}

/** What stands around an instruction, from the outside to the inside. @param {Instruction[]} code @param {number} at */
function openAt(code, at) {
  /** @type {Instruction[]} */
  const open = [];
  for (const one of code.slice(0, at)) {
    if (opens(one)) open.push(one);
    else if (one.op === OP.end) open.pop();
  }
  return open;
}

/**
 * Whether nothing comes to this code from before it but the address of the variables.
 * @param {Instruction[]} state @param {number} frame
 * @param {boolean} [open] whether blocks that begin in it end behind it
 */
function standsAlone(state, frame, open = false) {
  /** What is set in each of the blocks around an instruction. @type {Set<number>[]} */
  const known = [new Set([frame])];
  for (const one of state) {
    const { op, numbers } = one;
    const local = numbers[0] ?? -1;
    if (opens(one)) known.push(new Set());
    else if (op === OP.end) known.pop();
    else if (op === OP.else) known.splice(-1, 1, new Set());
    else if (op === OP.get && !known.some((set) => set.has(local))) return false;
    else if (op === OP.set || op === OP.tee) {
      if (local === frame) return false;
      known.at(-1)?.add(local);
    }
  }
  return open || known.length === 1 || state.at(-1)?.depth === -1;
}

/**
 * The local with the address of the variables: a function that keeps them in memory begins by making room.
 * @param {Instruction[]} code
 */
function frameOf(code) {
  const begin = [OP.getGlobal, OP.constant, OP.subtract, OP.tee, OP.setGlobal];
  expect(begin.every((op, i) => code[i]?.op === op));
  return code[3]?.numbers[0] ?? -1;
}

/** @template Made @param {() => Made} make @returns {Made | undefined} */
function quietly(make) {
  try {
    return make();
  } catch (error) {
    if (error instanceof Unexpected) return undefined;
    throw error;
  }
}
