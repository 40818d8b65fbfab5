/** The main of `svc-memory hook`: hosts wait for it before each edit, and most of its time is loading. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { answerHook } from '../cli/hook/answer-hook';
import { askedHook } from '../cli/hook/asked-hook';
import { INTERRUPTED, tellError } from '../cli/tell-error';
import { openCli } from './open-cli';

async function main(): Promise<void> {
  const asked = askedHook(process.argv.slice(3));
  if (!asked) {
    createRequire(__filename)(join(__dirname, 'svc-memory.bundle.js'));
    return;
  }
  const cli = openCli('svc-memory');
  try {
    await cli.output.json(await answerHook(cli, asked.event, asked.host));
  } catch (error) {
    process.exitCode = tellError(cli, error);
  }
  if (cli.signal.aborted) process.exitCode = INTERRUPTED;
}

void main();
