/** Words that developers use for the same thing. */
import { stem } from './analyze';

/**
 * Each line is one thing; English only, because the stemmer is. Common words with many meanings are left out: they cost more
 * than they find. So do the nearest words of word vectors (GloVe, 25,000 stems): what was tried moved no set by more than a
 * point, and the one on naming conventions by one point down.
 */
const SAME_THING = `
auth authentication authorization login signin sso
logout signout
db database
deploy deployment release rollout ship
config configuration settings preferences options
flaky intermittent nondeterministic unreliable
pr pull
repo repository
env environment
dependency library package
doc documentation readme
bug defect
crash panic segfault
error failure exception
slow latency performance
fast quick speed
delete remove drop
create add
fix repair resolve
test spec
ci pipeline
k8s kubernetes
js javascript
ts typescript
py python
pg postgres postgresql
infra infrastructure
admin administrator
param parameter argument
func function
dir directory folder
cache caching memoize
credential secret password token
migrate migration
retry backoff
timeout deadline
schedule cron
queue broker
log logging
monitor monitoring observability alert
encrypt encryption
frontend ui client
backend server
endpoint route api
style convention guideline
choose decide pick select
avoid forbid
prefer favourite favorite
`;

let groups: ReadonlyMap<string, readonly string[]> | undefined;

/** @returns the stems of words for the same thing, without its own; none for most words */
export function relatedStems(asked: string): readonly string[] {
  groups ??= readGroups();
  return groups.get(asked) ?? [];
}

function readGroups(): Map<string, readonly string[]> {
  const read = new Map<string, string[]>();
  for (const line of SAME_THING.trim().split('\n')) {
    const stems = [...new Set(line.split(' ').map(stem))];
    for (const one of stems) {
      const others = stems.filter((other) => other !== one);
      read.set(one, [...new Set([...(read.get(one) ?? []), ...others])]);
    }
  }
  return read;
}
