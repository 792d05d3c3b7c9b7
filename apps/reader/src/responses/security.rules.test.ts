import { expect, test } from '@jest/globals'
import { contentSecurityPolicy, diagramFramePolicy } from './security.rules.ts'

const policyOf = (isSecure: boolean) =>
  new Map(
    contentSecurityPolicy({ scripts: ["'nonce-abc'"], styles: ["'nonce-abc'"], isSecure })
      .split('; ')
      .map((directive): [string, string[]] => [directive.split(' ')[0] ?? '', directive.split(' ').slice(1)]),
  )

test.each([
  ['default-src', ["'none'"]],
  // Not the origin itself: files of authors are there.
  ['script-src', ["'nonce-abc'"]],
  ['style-src', ["'self'", "'nonce-abc'"]],
  ['font-src', ["'self'"]],
  ['base-uri', ["'none'"]],
  ['form-action', ["'self'"]],
  ['connect-src', ["'self'"]],
  ['object-src', undefined],
  ['worker-src', undefined],
])('the policy of a page has %s %j', (directive, sources) => expect(policyOf(false).get(directive)).toEqual(sources))

test('a page that came by https loads nothing without it', () =>
  expect([false, true].map(isSecure => policyOf(isSecure).has('upgrade-insecure-requests'))).toEqual([false, true]))

test('the frame of a diagram has no origin, and reaches nothing', () => {
  const directives = diagramFramePolicy('abc').split('; ')
  expect(directives).toEqual(expect.arrayContaining(["default-src 'none'", 'sandbox allow-scripts']))
  expect(directives.filter(each => /connect|frame-src|font|'self'|https?:/.test(each))).toEqual([
    "frame-ancestors 'self'",
  ])
})
