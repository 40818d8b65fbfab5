/** The field `marks` of an answer. */
import * as z from 'zod/v4';
import { MARKS } from '../memory/marks';

/** Missing where there is nothing to say. */
export const MARKS_FIELD = z.array(z.enum(MARKS)).readonly().optional();
