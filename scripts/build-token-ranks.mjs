// Part of the build: the table of the token counter. Tokenizers of npm build theirs anew in each process.
//
// Writes the o200k_base ranks as one file that is used as it lies, without a pass over it: loading the same ranks
// into a Map costs 130–190 ms and 65 MB. Read by src/server/render/tokens.ts; layout and hash are the same there.
//
//   header    8 × u32   magic "O2KB", version, tokens, slots, bytes in the blob, bytes in the longest token, 0, 0
//   slots     u32 each  open addressing with linear probing; 0 is free, otherwise fingerprint << 18 | rank + 1
//   offsets   u32 each  tokens + 1 of them: where the token of this rank begins in the blob
//   blob      u8 each   the bytes of all tokens in the order of their ranks
//
// All numbers are little-endian. A big-endian reader sees another magic and refuses the file.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const MAGIC = 0x424b324f;
const VERSION = 1;
const HEADER_WORDS = 8;
const SLOTS = 2 ** 19;
const RANK_BITS = 18;

/** Reads the ranks of the installed gpt-tokenizer and writes them to `outFile`. */
export function buildTokenRanks(outFile) {
  const tokens = readRanks(createRequire(import.meta.url).resolve('gpt-tokenizer/data/o200k_base.tiktoken'));
  if (tokens.length > SLOTS / 2 || tokens.length + 1 >= 2 ** RANK_BITS)
    throw new Error('too many tokens for the table');

  const blob = Buffer.concat(tokens);
  const longest = tokens.reduce((most, token) => Math.max(most, token.length), 0);
  const words = new Uint32Array(HEADER_WORDS + SLOTS + tokens.length + 1);
  words.set([MAGIC, VERSION, tokens.length, SLOTS, blob.length, longest]);
  const slots = words.subarray(HEADER_WORDS, HEADER_WORDS + SLOTS);
  const offsets = words.subarray(HEADER_WORDS + SLOTS);
  let offset = 0;
  for (const [rank, token] of tokens.entries()) {
    const hash = hashOf(token);
    let slot = hash & (SLOTS - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
    slots[slot] = ((hash >>> RANK_BITS) << RANK_BITS) | (rank + 1);
    offset += token.length;
    offsets[rank + 1] = offset;
  }

  const head = Buffer.alloc(words.length * 4);
  for (const [i, word] of words.entries()) head.writeUInt32LE(word, i * 4);
  writeFileSync(outFile, Buffer.concat([head, blob]));
}

/** The bytes of each token, by rank. A line reads `<base64> <rank>`. */
function readRanks(file) {
  const tokens = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const [base64, rank] = line.split(' ');
    if (Number(rank) !== tokens.length) throw new Error(`${file}: rank ${rank} where ${tokens.length} was expected`);
    tokens.push(Buffer.from(base64, 'base64'));
  }
  return tokens;
}

/** FNV-1a with murmur3's last steps, because both ends of the hash are used: the slot below, the fingerprint above. */
function hashOf(bytes) {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
