import { atMost, count, type Goal, MIB, mebibytes, plain } from './goals';
import type { Limits, LongLine } from './limits';
import { table } from './table';

const TREE_BYTES = 350 * MIB;
/** Of the length of the message. */
const LINE_GROWTH = 3;
/** Of a processor, in seconds, the start of the program included. */
const DOCUMENT_CPU = 2;
const SOURCE_CPU = 0.6;

export function limitGoals(limits: Limits | undefined): Goal[] {
  if (!limits) return [];
  const { trees, lines, sources } = limits;
  return [
    ...trees.flatMap(({ kind, peak }) => atMost(`first build of ${kind}, peak of memory`, peak, TREE_BYTES, mebibytes)),
    ...lines.flatMap((line) =>
      atMost(`one line of 50 MB, ${line.text}: growth of memory by its size`, multiple(line), LINE_GROWTH, plain),
    ),
    ...atMost('1 MB of hostile Markdown, the slowest', slowest(limits), DOCUMENT_CPU, seconds),
    ...atMost(`${sources.count} hostile sources, each`, sources.cpu / sources.count, SOURCE_CPU, seconds),
  ];
}

export function limitFigures(limits: Limits | undefined): string[] {
  if (!limits) return [];
  const { trees, lines, documents, sources } = limits;
  return [
    '## Large and hostile',
    '',
    ...table(
      ['first build of', 'files', 'lines', 'peak of memory'],
      trees.map(({ kind, files, lines: length, peak }) => [
        ...[kind, count(files), count(length)],
        peak === undefined ? '–' : mebibytes(peak),
      ]),
    ),
    ...table(
      ['one message in one line', 'size', 'growth of memory', 'of its size'],
      lines.map((line) => [
        ...[line.text, mebibytes(line.bytes), line.growth === undefined ? '–' : mebibytes(line.growth)],
        plain(multiple(line) ?? Number.NaN),
      ]),
    ),
    ...table(
      ['svc ingest, 1 MB of Markdown', 'processor s', ''],
      documents.map(({ shape, cpu, leftOut }) => [shape, plain(cpu), leftOut ? 'left out' : 'read']),
    ),
    `svc build leaves out ${sources.count} hostile sources of ${sources.kilobytes} kB in ${plain(sources.cpu)} s of a processor.`,
    '',
  ];
}

const seconds = (value: number): string => `${value.toFixed(2)} s`;

function multiple({ bytes, growth }: LongLine): number | undefined {
  return growth === undefined ? undefined : growth / bytes;
}

function slowest({ documents }: Limits): number {
  return Math.max(...documents.map(({ cpu }) => cpu));
}
