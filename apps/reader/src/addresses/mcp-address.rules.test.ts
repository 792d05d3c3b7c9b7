import { expect, test } from '@jest/globals'
import { isMcpPath, isMcpRequest, withShareKey } from './mcp-address.rules.ts'

test.each([
  ['mcp', true],
  ['~gitbook/mcp', true],
  ['', false],
  ['guide/mcp', false],
  ['MCP', false],
])('the path "%s" in a space is that of its server: %s', (path, isServer) => expect(isMcpPath(path)).toBe(isServer))

test.each([
  ['POST', '/docs/mcp', true],
  ['POST', '/docs/~gitbook/mcp', true],
  ['DELETE', '/mcp', true],
  ['GET', '/mcp', false],
  ['HEAD', '/mcp', false],
  ['POST', '/docs/~recto/events', false],
  ['POST', '/docs/amcp', false],
])('%s %s is a request of the protocol: %s', (method, path, isOne) =>
  expect(isMcpRequest({ method, path })).toBe(isOne),
)

test.each([
  ['/mcp', 'key', '/key/mcp'],
  ['/~gitbook/mcp', 'key', '/key/~gitbook/mcp'],
  ['/docs/~gitbook/mcp', 'a/b', '/docs/a%2Fb/~gitbook/mcp'],
])('%s with the key %s is %s', (path, key, expected) => expect(withShareKey(path, key)).toBe(expected))
