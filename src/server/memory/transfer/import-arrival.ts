/** How the memories of an import come in. */
import { oneLine } from '../../base/text';
import type { Memory } from '../memory';
import { type Arrival, arrivalOf, type Origin, type Standing } from '../origins';
import { storable } from '../text/search-terms';
import type { ImportObject } from './import-object';

/** Where an object comes from. */
export interface ImportSource {
  /** As it is shown. */
  readonly name: string;
  /** Of its content. */
  readonly hash: string;
}

/** A file that a person imports. */
export interface ImportedFile extends ImportSource {
  /** This user exported it (`project/own-exports`): it comes back as it was. */
  readonly isOwn: boolean;
}

/** What other tools and people wrote down in the project, by the place of each object in the message. */
export interface BroughtSources {
  readonly sourceOf: (index: number) => ImportSource;
}

/** An agent's message comes in as what the agent stores. Of files see docs/behaviour.md, "Import". */
export function importArrival(
  memory: Memory,
  file: ImportedFile | BroughtSources | undefined,
  thisStore: string | undefined,
): (object: ImportObject) => Arrival {
  const here = (store: string | null = null): string | null => (store === thisStore ? null : store);
  if (!file) {
    const { origin, standing } = arrivalOf(memory);
    // It may hold back what it brings, and vouch for nothing.
    return (object) => ({
      origin: { ...origin, store: here(object.origin?.store) },
      standing: object.standing === 'proposed' ? object.standing : standing,
    });
  }
  if ('sourceOf' in file) {
    return ({ index }) => ({ origin: importedFrom(file.sourceOf(index)), standing: 'proposed' });
  }
  const foreign = importedFrom(file);
  const vouchedFor = memory.holder().by === 'person';
  const ownStanding = (standing: Standing = 'stored'): Standing =>
    standing === 'confirmed' && !vouchedFor ? 'stored' : standing;
  return ({ origin, standing }) => {
    const store = here(origin?.store);
    return file.isOwn
      ? { origin: origin ? { ...origin, store } : foreign, standing: ownStanding(standing) }
      : { origin: { ...foreign, store }, standing: 'proposed' };
  };
}

/** Whether it gives other names to entities of the store: what waits takes and changes nothing. */
export function mayRename(memory: Memory, file: ImportedFile | BroughtSources | undefined): boolean {
  return file ? 'isOwn' in file && file.isOwn : arrivalOf(memory).standing !== 'proposed';
}

function importedFrom({ name, hash }: ImportSource): Origin {
  return { kind: 'import', name: oneLine(storable(name)), hash, store: null, marked: false };
}

/** Nobody has looked at what waits of the same source, so that its newer version takes its place at once. */
export function closesWaiting(file: ImportedFile | BroughtSources | undefined): boolean {
  return file !== undefined && 'sourceOf' in file;
}
