import { CANDIDATES } from '../../src/server/ingest/candidates';
import { count, milliseconds, percent } from './goals';
import type { CandidateQuality } from './ingest';

/** How many of the symbols that labelled sections speak of a model gets to judge. */
export function candidateFigures(ingest: CandidateQuality | undefined, verbose: boolean): string[] {
  if (!ingest) return [];
  const { sections, symbols, labels, found, millisecondsPerSection, missed } = ingest;
  return [
    '## Ingestion: candidates',
    '',
    `${sections} sections of a handbook over ${count(symbols)} symbols of this project, labelled by hand: ${found} of ${labels} ` +
      `symbols (${percent(found / labels)}) are among the first ${CANDIDATES} candidates; ` +
      `${milliseconds(millisecondsPerSection)} a section.`,
    '',
    ...(verbose ? [...missed.map(({ section, symbol }) => `- ${section}: ${symbol}`), ''] : []),
  ];
}
