/** Says which memories a check of the code has put in doubt. */
import type { MissingNode, StaleNode, StalenessReport } from '../memory/code/staleness';
import { isDoubtful } from '../memory/code/touches';

type Doubted = Pick<StaleNode & MissingNode, 'node_id' | 'file_path' | 'verdict' | 'now' | 'whole_file' | 'proposed'>;

/**
 * The report by the verdict on the code, counted as `status` and the editor count. A file that was merely written since, with the
 * same code in it, is for those who go by the clock.
 */
export function stalenessForPeople(report: StalenessReport): object {
  const doubted = doubtedIn(report);
  const idsOf = (rows: readonly Doubted[]): Set<string> => new Set(rows.map(({ node_id }) => node_id));
  const onCode = idsOf(doubted.filter(({ whole_file }) => !whole_file));
  return {
    ...{ 'places checked': report.checked, 'no longer fit': onCode.size },
    'about a file that changed': idsOf(doubted).size - onCode.size,
    ...(doubted.length === 0 ? {} : { memories: doubted.map(shown), next: GO_ON }),
  };
}

const GO_ON = '"svc-memory review" shows what they say; "svc-memory compare <id>" shows the code of one then and now.';

function doubtedIn({ stale_nodes, missing_nodes }: StalenessReport): readonly Doubted[] {
  return [...stale_nodes, ...missing_nodes].filter(({ verdict, proposed }) => isDoubtful(verdict) && !proposed);
}

function shown({ node_id, verdict, file_path, now, whole_file }: Doubted): object {
  const place = now && { now: `${now.file_path}:${now.start_line} ${now.name}` };
  return { node_id, verdict: whole_file ? 'file changed' : verdict, file_path, ...place };
}
