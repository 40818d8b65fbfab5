/** Reads the arguments of `svc-memory hook` as hosts give them, without the library for all others. */
import { HOOK_EVENTS, HOOK_HOSTS, type HookEvent, type HookHost } from '../../agents/hook-hosts';

export const DEFAULT_HOST: HookHost = 'claude';

/** @returns undefined for anything else, which the whole command line reads, refuses or helps with */
export function askedHook(args: readonly string[]): { readonly event: HookEvent; readonly host: HookHost } | undefined {
  const [name, option, value = DEFAULT_HOST] = args;
  const event = HOOK_EVENTS.find((one) => one === name);
  const host = HOOK_HOSTS.find((one) => one === value);
  const isPlain = args.length === 1 || (args.length === 3 && option === '--host');
  return event && host && isPlain ? { event, host } : undefined;
}
