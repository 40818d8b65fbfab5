import { expect, it } from 'vitest';
import { findSecret } from '../../../src/server/secrets/find-secret';

it.each([
  'The app-specific password for notarytool is qxwz-kvnt-pzrh-bmlj',
  'APPLE_APP_PASSWORD: the password: wkzr-xvqb-tnhj-gplc',
  'API_TOKEN="aB3;kQ9xZ2mW8vL5tR7"',
  'bindpw: Zk39xQ!mvw2',
  'https://x.blob.core.windows.net/a?sp=r&sig=bd8QE2uXQAnjS30RWJDQDK3fy3rUXhHzD0ckbqloPlg%3D&se=1',
])('a secret is found: %s', (text) => expect(findSecret(text)).toBeDefined());

it.each([
  'The password field is shown when must-have-some-text is set',
  'The password form uses the class form-item-main-dark',
  'The token ends at the semicolon; parse; then go on',
])('nothing is found: %s', (text) => expect(findSecret(text)).toBeUndefined());
