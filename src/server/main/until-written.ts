/** Stands in for a store that a server must not create by reading. */
import { tmpdir } from 'node:os';
import { locateStore } from '../../store-place/locate';
import { isNamedByVariable } from '../../store-place/store-place';
import type { OpenProject } from '../project/open';
import { type StandIn, standIn } from '../project/stand-in';
import { processSurroundings, variable } from './process';

/**
 * An editor names the store that a folder is to have (SVC_MEMORY_DB) and asks with SVC_CREATE_STORE=on-write that
 * reading makes nothing there.
 */
export function untilWritten(options: Omit<OpenProject, 'place'>): StandIn | undefined {
  if (variable('SVC_CREATE_STORE') !== 'on-write') return undefined;
  const place = locateStore(processSurroundings());
  return isNamedByVariable(place) ? standIn({ ...options, place }, tmpdir()) : undefined;
}
