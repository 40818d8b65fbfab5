/** Compares sections and symbols by the vectors of a local model. */
import { createHash } from 'node:crypto';
import type { Database } from '../db/sql';
import { storedVectors, writeVectors } from '../graph/embeddings';
import type { Embedder } from '../llm/provider';
import type { Similarity } from './candidates';
import type { CodeBase, CodeBaseSymbol } from './code-base';

const BATCH = 64;
/** Embedding more takes longer than what it is for. */
const MOST_SYMBOLS = 20_000;
const MAX_TEXT_LENGTH = 2_000;

/** Embeds all symbols, those that are not known yet. @returns undefined where there are too many */
export async function localSimilarity(
  graph: Database,
  code: CodeBase,
  { model, embed }: Embedder,
  signal: AbortSignal,
): Promise<Similarity | undefined> {
  if (code.symbols.length > MOST_SYMBOLS) return undefined;
  const texts = code.symbols.map(textOf);
  const hashes = texts.map(hashOf);
  const known = new Map(await storedVectors(graph, model, hashes));
  const missing = [...new Map(hashes.map((hash, i) => [hash, texts[i] ?? ''])).entries()].filter(
    ([hash]) => !known.has(hash),
  );
  for (let at = 0; at < missing.length; at += BATCH) {
    const batch = missing.slice(at, at + BATCH);
    const vectors = await embed(
      batch.map(([, text]) => text),
      signal,
    );
    const rows = batch.map(([hash], i): [string, string] => [hash, encode(vectors[i] ?? [])]);
    await writeVectors(graph, model, rows);
    for (const [hash, vector] of rows) known.set(hash, vector);
  }
  const vectors = hashes.map((hash) => decode(known.get(hash) ?? ''));
  return async ({ heading, text }) => {
    const [vector = []] = await embed([`${heading}\n${text}`.slice(0, MAX_TEXT_LENGTH * 2)], signal);
    const asked = decode(encode(vector));
    return Float64Array.from(vectors, (one) => Math.max(0, dot(one, asked)));
  };
}

function textOf({ code_type, name, file_path, signature, doc }: CodeBaseSymbol): string {
  return `${code_type} ${name} in ${file_path}\n${signature}\n${doc}`.slice(0, MAX_TEXT_LENGTH);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Of length 1, so that a product is a cosine. */
function encode(vector: readonly number[]): string {
  const length = Math.hypot(...vector) || 1;
  return Buffer.from(Float32Array.from(vector, (value) => value / length).buffer).toString('base64');
}

function decode(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (const [i, value] of a.entries()) sum += value * (b[i] ?? 0);
  return sum;
}
