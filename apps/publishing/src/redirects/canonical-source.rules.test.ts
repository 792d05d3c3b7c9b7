import { expect, it } from '@jest/globals'
import { canonicalSource, requireWildcard } from './canonical-source.rules.ts'

it.each([
  ['/old/page', '/old/page'],
  ['/Old/-._~', '/Old/-._~'],
  ['/%61%2d', '/a-'],
  ['/%c3%a4', '/%C3%A4'],
  ['/%E6%97%A5%E6%9C%AC', '/%E6%97%A5%E6%9C%AC'],
  ['/%F0%9F%98%80', '/%F0%9F%98%80'],
  ['/%5bx%5d/%28%29%27%2a%21', '/%5Bx%5D/%28%29%27%2A%21'],
  ['/%2525', '/%2525'],
  ['/%252F', '/%252F'],
  ['/a%2Fb', '/a%2Fb'],
  ['/a%20b%2Bc%26d%3Fe%23f', '/a%20b%2Bc%26d%3Fe%23f'],
  ['/%FF', '/%25FF'],
  ['/%00', '/%2500'],
  ['/a+b', '/a%2Bb'],
  ['/%61/*', '/a/*'],
  ['/%61*', '/a*'],
  ['/a/%2A', '/a/%2A'],
  ['/a%2a*', '/a%2A*'],
])('the source %s is %s, and stays it', (source, expected) => {
  expect(canonicalSource(source)).toBe(expected)
  expect(canonicalSource(expected)).toBe(expected)
})

it.each<[string, boolean, { captureWildcard?: boolean }, string | undefined]>([
  ['/a/*', true, {}, undefined],
  ['/a', false, {}, undefined],
  ['/a', true, { captureWildcard: true }, 'body.captureWildcard'],
  ['/a', true, {}, 'body.source'],
])(
  'a redirect from %s that captures (%s), changed by %j, has a fault at %s',
  (source, captureWildcard, change, path) => {
    const check = () => requireWildcard({ source, captureWildcard }, change)
    if (path === undefined) expect(check).not.toThrow()
    else expect(check).toThrow(expect.objectContaining({ details: [expect.objectContaining({ path })] }))
  },
)
