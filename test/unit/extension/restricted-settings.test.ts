import { expect, test } from 'vitest';
import packageJson from '../../../package.json';

/** What may come from a workspace that nobody trusts: how memories are shown, and nothing else. */
const ONLY_SHOWS = /^agentMemory\.(?:codeLens|currentLine|hover|diagnostics|fileMarks)\./;

test('an untrusted workspace sets nothing but how memories are shown', () => {
  const { configuration } = packageJson.contributes;
  const settings = Object.keys(configuration.properties).filter((name) => !ONLY_SHOWS.test(name));
  const restricted = packageJson.capabilities.untrustedWorkspaces.restrictedConfigurations;
  expect([...restricted].sort()).toEqual(settings.sort());
});

test('a setting that names a file of this machine is not carried to others', () => {
  expect(packageJson.contributes.configuration.properties['agentMemory.storePath'].scope).toBe('machine-overridable');
});
