/** The main of `svc`. */
import { buildSvcProgram } from '../cli/svc-program';
import { runCommandLine } from './command-line';

/** `svc`: what builds the code graph. */
void runCommandLine('svc', buildSvcProgram);
