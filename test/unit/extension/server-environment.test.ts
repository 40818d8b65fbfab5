import { describe, expect, it } from 'vitest';
import { serverEnvironment, severalEnvironment } from '../../../src/extension/server-environment';

const path = '/home/someone/project';

describe('a server that the editor starts', () => {
  it("runs the editor's own executable as Node, in the project, on the store that the first write makes", () => {
    const store = { file: '/home/someone/project/.svc/memory.db', kind: 'project' } as const;
    expect(serverEnvironment({ path, store }, 'default')).toEqual({
      ELECTRON_RUN_AS_NODE: '1',
      SVC_PROJECT_ROOT: path,
      SVC_MEMORY_DB: '/home/someone/project/.svc/memory.db',
      SVC_CREATE_STORE: 'on-write',
      SVC_STORE_FROM: 'editor',
    });
  });

  it("takes a store for a person's choice where a setting of the person names it, not one of the workspace", () => {
    const store = { file: '/home/someone/notes.db', kind: 'named' } as const;
    const { SVC_STORE_FROM: ofPerson } = serverEnvironment({ path, store }, 'default');
    expect(ofPerson).toBeUndefined();
    const { SVC_STORE_FROM: ofWorkspace } = serverEnvironment(
      { path, store: { ...store, kind: 'setting' } },
      'default',
    );
    expect(ofWorkspace).toBe('editor');
  });

  it('finds the home store by itself, and begins in the namespace of the editor', () => {
    const store = { file: undefined, kind: 'home' } as const;
    expect(serverEnvironment({ path, store }, 'red')).toEqual({
      ELECTRON_RUN_AS_NODE: '1',
      SVC_PROJECT_ROOT: path,
      SVC_NAMESPACE: 'red',
    });
  });
});

describe('a server for several folders', () => {
  it('gets for each of them what a server of its own would get, and what counts for agents once', () => {
    const folders = ['red', 'blue'].map((name) => ({
      ...{ name, path: `/home/someone/${name}`, namespace: name === 'red' ? 'default' : 'team' },
      store: { file: `/home/someone/${name}/.svc/memory.db`, kind: 'project' } as const,
    }));
    const { SVC_FOLDERS = '', ...rest } = severalEnvironment(folders, {
      ...{ keep: 'propose', tools: 'core', elsewhere: ['memory_recall', 'memory_store'] },
    });
    expect(rest).toEqual({
      ...{ ELECTRON_RUN_AS_NODE: '1', SVC_KEEP: 'propose', SVC_TOOLS: 'core' },
      SVC_TOOLS_ELSEWHERE: 'memory_recall,memory_store',
    });
    const { ELECTRON_RUN_AS_NODE: _, ...ofBlue } = serverEnvironment(folders[1] as (typeof folders)[0], 'team');
    expect((JSON.parse(SVC_FOLDERS) as object[])[1]).toEqual({
      ...{ name: 'blue', path: '/home/someone/blue' },
      environment: ofBlue,
    });
  });
});
