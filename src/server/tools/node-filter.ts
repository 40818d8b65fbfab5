/** The filter of lists and counts, for people. */
import * as z from 'zod/v4';
import { NODE_KINDS } from '../../kinds/kinds';
import { MAX_NAME_LENGTH } from '../memory/limits';

/** For lists of memories and counts of them. */
export const SESSIONLESS = z.boolean().default(false).describe('Only memories that were stored in no session');

export const NODE_FILTER = {
  kinds: z.array(z.enum(NODE_KINDS)).default([]).describe('Only these kinds'),
  letters: z.string().max(MAX_NAME_LENGTH).default('').describe('Only nodes that contain these words'),
  file: z.string().max(MAX_NAME_LENGTH).default('').describe('Only memories on code whose path contains this'),
  symbol: z.string().max(MAX_NAME_LENGTH).default('').describe('Only memories on code whose name contains this'),
};
