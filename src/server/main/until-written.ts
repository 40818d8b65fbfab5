/** Stands in for a store that a server must not create by reading. */
import { tmpdir } from 'node:os';
import { locateStore } from '../../store-place/locate';
import { isNamedByVariable } from '../../store-place/store-place';
import type { OpenProject } from '../project/open';
import { type StandIn, standIn } from '../project/stand-in';
import type { FolderProcess } from './served-folders';

/**
 * An editor names the store that a folder is to have (SVC_MEMORY_DB) and asks with SVC_CREATE_STORE=on-write that
 * reading makes nothing there.
 */
export function untilWritten(
  { around, variables }: FolderProcess,
  options: Omit<OpenProject, 'place'>,
): StandIn | undefined {
  if (variables('SVC_CREATE_STORE') !== 'on-write') return undefined;
  const place = locateStore(around);
  return isNamedByVariable(place) ? standIn({ ...options, place }, tmpdir()) : undefined;
}
