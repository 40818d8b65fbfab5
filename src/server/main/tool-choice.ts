/** Which tools agents are offered: all of them, or the core. */
import { existsSync } from 'node:fs';
import { locateStore, type Surroundings } from '../../store-place/locate';
import type { Log } from '../base/log';
import { quoted } from '../base/text';
import { configFile, readConfig, TOOL_CHOICES, type ToolChoice } from '../project/config';
import { variable } from './process';

/**
 * The user's word, an argument before a variable; else the project's, which can only leave tools out; else all.
 * @param around the folder that the server was started for
 */
export function toolChoice(around: Surroundings, log: Log): ToolChoice {
  const word = argument('--tools') ?? variable('SVC_TOOLS');
  if (word === undefined) return projectChoice(around, log) ?? 'all';
  const known = TOOL_CHOICES.find((one) => one === word);
  if (known === undefined) log(`the tools are to be ${quoted(word)}, which is none of ${TOOL_CHOICES.join(', ')}: all`);
  return known ?? 'all';
}

/** Tools that the editor gives its chat itself, so that they are not offered a second time. */
export function toolsElsewhere(): readonly string[] {
  return (variable('SVC_TOOLS_ELSEWHERE') ?? '').split(',');
}

/** `--name word` or `--name=word`. */
function argument(name: string): string | undefined {
  const given = process.argv.slice(2);
  const [joined] = given.flatMap((word) => (word.startsWith(`${name}=`) ? [word.slice(name.length + 1)] : []));
  const at = given.indexOf(name);
  return joined ?? (at < 0 ? undefined : (given[at + 1] ?? ''));
}

function projectChoice(around: Surroundings, log: Log): ToolChoice | undefined {
  const place = locateStore(around);
  if (place.root === undefined) return undefined;
  try {
    return readConfig(configFile(place, place.root, existsSync, around.home), []).tools;
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
