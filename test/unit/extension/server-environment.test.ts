import { describe, expect, it } from 'vitest';
import { serverEnvironment } from '../../../src/extension/server-environment';

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
