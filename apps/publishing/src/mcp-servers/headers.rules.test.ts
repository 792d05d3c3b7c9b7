import { describe, expect, it } from '@jest/globals'
import { changedHeaders, hideValues } from './headers.rules.ts'

const hidden = '********'
const before = { url: 'https://a.test/mcp', headers: { 'X-Key': 'one', Accept: 'all' } }
type Change = Parameters<typeof changedHeaders>[1]

describe('A change of a server', () => {
  it.each<[string, Change, object]>([
    ['of its name keeps its headers', {}, before.headers],
    ['of its path keeps its headers', { url: 'https://a.test/other' }, before.headers],
    ['replaces all headers', { headers: { 'X-Key': 'two' } }, { 'X-Key': 'two' }],
    ['keeps a hidden value', { headers: { 'x-key': hidden, New: 'n' } }, { 'x-key': 'one', New: 'n' }],
    ['of its origin has new headers', { url: 'https://b.test/', headers: { 'X-Key': 'two' } }, { 'X-Key': 'two' }],
    ['of its origin may leave all headers out', { url: 'https://b.test/', headers: {} }, {}],
  ])('%s', (_what, change, after) => {
    expect(changedHeaders(before, change)).toEqual(after)
  })

  it.each<[string, Change, string]>([
    ['with a hidden value that is not stored', { headers: { Other: hidden } }, 'body.headers.Other'],
    ['of its origin without headers', { url: 'https://b.test/' }, 'body.headers'],
    ['of its scheme without headers', { url: 'http://a.test/mcp' }, 'body.headers'],
    [
      'of its port with a hidden value',
      { url: 'https://a.test:8443/', headers: { 'X-Key': hidden } },
      'body.headers.X-Key',
    ],
  ])('%s is refused, since headers are for the server that they were given for', (_what, change, path) => {
    expect(() => changedHeaders(before, change)).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: [expect.objectContaining({ path })] }),
    )
  })
})

it('A new server has no hidden values', () => {
  expect(changedHeaders(undefined, { headers: { A: 'a' } })).toEqual({ A: 'a' })
  expect(() => changedHeaders(undefined, { headers: { A: hidden } })).toThrow()
})

it('Values of headers are hidden', () => {
  expect(hideValues(before.headers)).toEqual({ 'X-Key': hidden, Accept: hidden })
})
