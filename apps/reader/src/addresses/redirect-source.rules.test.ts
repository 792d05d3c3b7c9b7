import { expect, it } from '@jest/globals'
import { redirectSource } from './redirect-source.rules.ts'

it.each([
  ['/', '/', '/a/b', '/a/b'],
  ['/', '/', '/%C3%A4/a%20b', '/%C3%A4/a%20b'],
  ['/', '/', '/%E6%97%A5%E6%9C%AC', '/%E6%97%A5%E6%9C%AC'],
  ['/', '/', '/%5Bx%5D/100%25/a%2Bb%26c%3Fd', '/%5Bx%5D/100%25/a%2Bb%26c%3Fd'],
  ['/', '/', "/it's(x)!*", '/it%27s%28x%29%21%2A'],
  ['/', '/api/', '/a', '/api/a'],
  ['/', '/%E6%97%A5/old/', '/a', '/%E6%97%A5/old/a'],
  ['/a-key/', '/a-key/api/', '/a%2Fb', '/api/a%2Fb'],
  ['/', '/api/', '/', '/api'],
  ['/', '/', '/', '/'],
])('of %s, %s and %s the source is %s', (siteBasePath, basePath, pathname, source) =>
  expect(redirectSource({ siteBasePath, basePath, pathname })).toBe(source),
)
