import { gunzipSync } from 'node:zlib'
import { describe, expect, it, test } from '@jest/globals'
import { pageText } from './page-text.ts'

const long = '<p>Größer, 世界 &amp; so on</p>\n'.repeat(5_000)

describe.each([
  ['no nonce', '<p>text</p>', '<p>text</p>'],
  ['nothing', '', ''],
  ['a nonce only', '@@', 'abc+/='],
  ['nonces at both ends and beside each other', '@@a@@@@b@@', 'abc+/=aabc+/=abc+/=babc+/='],
  ['a long text', `<style nonce="@@">x</style>${long}@@`, `<style nonce="abc+/=">x</style>${long}abc+/=`],
])('a page with %s', (_title, html, expected) => {
  const page = pageText(html, '@@')

  it('is as it is, with the nonce', () => expect(Buffer.concat(page.plain('abc+/=')).toString()).toBe(expected))

  it('is the same when it was compressed', () =>
    expect(gunzipSync(Buffer.concat(page.gzip('abc+/='))).toString()).toBe(expected))
})

test('a page is compressed for several nonces', () => {
  const page = pageText(`@@${long}`, '@@')
  expect([
    gunzipSync(Buffer.concat(page.gzip('one'))).toString(),
    gunzipSync(Buffer.concat(page.gzip('another'))).toString(),
  ]).toEqual([`one${long}`, `another${long}`])
  expect(Buffer.concat(page.gzip('one')).length).toBeLessThan(long.length / 20)
})

test('all visitors are sent the same memory', () => {
  const page = pageText(`@@${long}`, '@@')
  for (const form of ['plain', 'gzip'] as const) {
    const one = page[form]('one')
    const other = page[form]('another')
    const largest = (chunks: Buffer[]) => chunks.toSorted((a, b) => b.length - a.length)[0]
    expect(largest(one)).toBe(largest(other))
  }
})
