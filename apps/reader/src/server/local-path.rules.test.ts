import { expect, test } from '@jest/globals'
import { cleanedPath } from './local-path.rules.ts'

test.each([
  ['/', '', undefined],
  ['/a', '', undefined],
  ['/a/b', '', undefined],
  ['/a/', '', '/a'],
  ['//evil.example', '', '/evil.example'],
  ['//evil.example/', '', '/evil.example'],
  ['/\\evil.example', '', '/evil.example'],
  ['/a//b', '', '/a/b'],
  ['/acme', '/acme', '/acme/'],
  ['/acme/', '/acme', undefined],
  ['/acme/a/', '/acme', '/acme/a'],
  ['/acme//evil.example', '/acme', '/acme/evil.example'],
  ['/url/preview/s1/', '/url/preview', '/url/preview/s1'],
])('%s below "%s" is sent to %s', (path, mountPath, cleaned) => expect(cleanedPath(path, mountPath)).toBe(cleaned))
