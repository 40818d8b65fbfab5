import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './project-files';

let scratch = '';
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'svc-start-'));
  mkdirSync(join(scratch, 'home'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** As npm runs it, called in the folder `scratch`. */
function start(folder: string) {
  const env = { ...process.env, HOME: join(scratch, 'home'), INIT_CWD: scratch };
  return spawnSync(process.execPath, ['scripts/start.mjs', folder], { cwd: ROOT, env, encoding: 'utf8' });
}

describe('npm start', () => {
  it('makes the folder that it is given, and shows a working day in it', () => {
    const { status, stdout, stderr } = start('new/project');
    expect(stderr).toContain(`Made the folder ${join(scratch, 'new', 'project')}\n`);
    expect(status).toBe(0);
    expect(stdout).toContain('Use it: register the server');
    expect(existsSync(join(scratch, 'new', 'project', '.svc', 'memory.db'))).toBe(true);
  });

  it('says why a folder cannot be made', () => {
    const { status, stderr } = start('/proc/nowhere/project');
    expect(status).toBe(1);
    expect(stderr).toContain('/proc/nowhere/project cannot be made: ENOENT');
  });

  it('says what to type where the name is that of a file', () => {
    writeFileSync(join(scratch, 'file'), '');
    const { status, stderr } = start('file');
    expect(status).toBe(1);
    expect(stderr).toContain(
      'is no folder. Give the folder of a project, or one that is to be made: npm start -- <folder>',
    );
  });
});
