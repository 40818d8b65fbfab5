/** What reading or writing has found out of a store: it stands until another file is open in its place. */
import type { SvcError } from '../base/errors';
import type { Project } from '../project/open';

const damages = new WeakMap<Project['store'], SvcError>();

/** @returns whether it is news */
export function noteDamage({ store }: Pick<Project, 'store'>, problem: SvcError): boolean {
  if (damages.has(store)) return false;
  damages.set(store, problem);
  return true;
}

export function damageOf({ store }: Pick<Project, 'store'>): SvcError | undefined {
  return damages.get(store);
}
