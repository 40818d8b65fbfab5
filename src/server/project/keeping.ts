/** Says what becomes of what agents store. */
import { existsSync } from 'node:fs';
import type { StorePlace } from '../../store-place/store-place';
import type { Log } from '../base/log';
import { quoted } from '../base/text';
import type { Keeping } from '../memory/origins';
import { configFile, KEEPS, type Keep, readConfig } from './config';
import { isMarked } from './foreign-text';
import { lookedAtAgain } from './looked-at-again';

export interface KeepingOptions {
  readonly place: StorePlace;
  readonly home: string;
  /** SVC_KEEP, or what a setting of the editor says now. */
  readonly setting: () => string | undefined;
  readonly log: Log;
}

/** What is decided for agents: by the person, and stricter by the project. */
export interface ReadKeeping {
  readonly keep: () => Keep;
  readonly keeping: () => Keeping;
}

/** Reads it from the setting and `.svc/config.yaml`, which may only be stricter, and from what hooks have seen. */
export function readKeeping({ place, home, setting, log }: KeepingOptions): ReadKeeping {
  let told: string | undefined;
  const person = (): Keep => {
    const word = setting();
    const own = KEEPS.find((one) => one === word);
    if (own !== undefined || word === undefined) return own ?? 'keep';
    if (word !== told) {
      log(`SVC_KEEP is ${quoted(word)}, which is none of ${KEEPS.join(', ')}: what agents store waits for a person`);
    }
    told = word;
    // Who mistypes a stricter word means a stricter one.
    return 'propose';
  };
  // A word that is none is told at once.
  person();
  const project = projectKeep(place, home, log);
  const keep = (): Keep => stricter(person(), project());
  return {
    keep,
    keeping: () => {
      const marked = isMarked(home, place.url);
      return { proposed: marked || keep() !== 'keep', marked };
    },
  };
}

function stricter(one: Keep, other: Keep): Keep {
  return KEEPS.indexOf(one) > KEEPS.indexOf(other) ? one : other;
}

/** A file that cannot be read may have meant a stricter word, as a mistyped one does; it is reported once. */
function projectKeep(place: StorePlace, home: string, log: Log): () => Keep {
  const { root } = place;
  if (root === undefined) return () => 'keep';
  return lookedAtAgain(() => readConfig(configFile(place, root, existsSync, home), []).keep ?? 'keep', 'propose', log);
}
