/** Finds memories through ingested documents, for recall. */
import { hasBindings, symbolsOfSections } from '../graph/find-bindings';
import type { DocumentIndex } from '../memory/recall/through-documents';
import { LEAST_CONFIDENCE } from './bound-sections';
import type { CodeGraph } from './handle';

/** So few that they cost a recall next to nothing. */
const LIMITS = { sections: 6, symbols: 24, least: LEAST_CONFIDENCE };
const MOST_TERMS = 24;

/** The documents that were ingested, as recall asks for them; where there are none, they cost one look. */
export function documentIndex(graph: CodeGraph): DocumentIndex {
  return {
    async symbolsFor(terms) {
      const sql = await graph.current();
      if (!sql || terms.length === 0 || !(await hasBindings(sql))) return [];
      const match = terms.slice(0, MOST_TERMS).map((term) => `"${term.replaceAll('"', '""')}"`);
      return symbolsOfSections(sql, match.join(' OR '), LIMITS);
    },
  };
}
