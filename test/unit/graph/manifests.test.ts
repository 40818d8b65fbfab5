import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openManifests } from '../../../src/server/graph/manifests';
import { makeReleasedPipe } from '../../support/special-files';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-manifests-'));
  mkdirSync(join(root, 'pkg'));
});
afterEach(() => rmSync(root, { recursive: true }));

const nameOf = (): string | undefined => openManifests(root).above('pkg/a.ts', 'package.json')?.name;

it.each([
  ['{"name":"@us/pkg"}', '@us/pkg'],
  ['{\n  "name": "@us/pkg",\n  "version": "1.0.0"\n}', '@us/pkg'],
  ['\n{ "private": true,\n\n\n\t"name"  :\n "@us/pkg" }', '@us/pkg'],
  ['{ "version": "1", "name": "@us/pkg" }', undefined],
])('a package is called what its manifest says on a line of its own, or at first: %j', (text, name) => {
  writeFileSync(join(root, 'pkg', 'package.json'), text);
  expect(nameOf()).toBe(name);
});

it('a manifest that is a pipe, leads out of the project or is data gives no name, and none is waited for', () => {
  const manifest = join(root, 'pkg', 'package.json');
  makeReleasedPipe(manifest);
  expect(nameOf()).toBeUndefined();
  rmSync(manifest);
  symlinkSync('/dev/zero', manifest);
  expect(nameOf()).toBeUndefined();
  rmSync(manifest);
  writeFileSync(manifest, `${'\n'.repeat(1_000_000)}"name": "late"`);
  expect(nameOf()).toBeUndefined();
});
