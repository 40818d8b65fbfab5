import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeTerms } from '../../src/server/code/code-terms';
import { openGraph } from '../../src/server/graph/open-graph';
import { buildCandidateIndex } from '../../src/server/ingest/candidate-index';
import { candidatesFor, documentFit } from '../../src/server/ingest/candidates';
import { readCodeBase } from '../../src/server/ingest/code-base';
import { labelledSections } from './labelled-sections';
import { ROOT, withPlace } from './servers';

export interface CandidateQuality {
  readonly sections: number;
  readonly symbols: number;
  readonly labels: number;
  /** The labels that are among the candidates, of all. */
  readonly found: number;
  readonly missed: readonly { readonly section: string; readonly symbol: string }[];
  /** Labels that name nothing. */
  readonly unknown: readonly string[];
  readonly millisecondsPerSection: number;
}

/**
 * The files of the memory server that the documents are the handbook of. Those that came later are none of them: the more
 * there are, the fewer of ten places are left, whatever the choice is worth. New sections bring their files along.
 */
const SOURCES = 'test/bench/data/ingest/sources.txt';

/** Whether the candidates for each labelled section hold the symbols that it speaks of, over this project's sources. */
export async function measureCandidates(): Promise<CandidateQuality> {
  return withPlace(async (place) => {
    for (const name of readFileSync(join(ROOT, SOURCES), 'utf8').trim().split('\n')) {
      cpSync(join(ROOT, 'src/server', name), join(place.folder, 'src/server', name));
    }
    execFileSync(process.execPath, [join(ROOT, 'dist/svc.js'), 'build', place.folder], { cwd: place.folder });
    const graph = await openGraph(join(place.folder, '.svc/graph.db'), false);
    const code = await readCodeBase(graph);
    await graph.close();
    const known = new Set(code.symbols.map((one) => `${one.file_path}#${one.name}`));
    const index = buildCandidateIndex(code, codeTerms, (path) => readFileSync(join(place.folder, path), 'utf8'));
    const labelled = labelledSections();
    const fitOf = (document: string): Float64Array => {
      const sections = labelled.filter((one) => one.document === document).map((one) => one.section);
      return documentFit(index, sections);
    };
    const missed: CandidateQuality['missed'][number][] = [];
    let labels = 0;
    const start = performance.now();
    const fits = new Map<string, Float64Array>();
    for (const { document, section, symbols } of labelled) {
      const fit = fits.get(document) ?? fitOf(document);
      fits.set(document, fit);
      const candidates = await candidatesFor(index, document, section, { fit });
      const names = new Set(candidates.map((one) => `${one.file_path}#${one.name}`));
      labels += symbols.length;
      for (const symbol of symbols) if (!names.has(symbol)) missed.push({ section: section.heading, symbol });
    }
    return {
      ...{ sections: labelled.length, symbols: code.symbols.length, labels, found: labels - missed.length, missed },
      unknown: labelled.flatMap(({ symbols }) => symbols.filter((one) => !known.has(one))),
      millisecondsPerSection: (performance.now() - start) / labelled.length,
    };
  });
}
