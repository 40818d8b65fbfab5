/** The main of `svc-memory`. */
import { buildProgram } from '../cli/program';
import { runCommandLine } from './command-line';

/** `svc-memory`: the memory for people at a terminal. */
void runCommandLine('svc-memory', buildProgram, 'status');
