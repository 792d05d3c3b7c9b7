import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { pageText } from '../responses/page-text.ts'
import { inlineHashes, noncePlaceholder as nonce, withPolicy } from './page-policy.ts'

const script = 'document.title="a"'
const style = 'body{color:red}'
const html =
  `<style nonce="${nonce}">${style}</style><script nonce="${nonce}">${script}</script>` +
  `<script type="module" nonce="${nonce}" src="/~recto/assets/v/reader.js"></script>` +
  `<script type="application/ld+json" nonce="${nonce}">{"a":1}</script><script>evil()</script><style>evil</style>`
const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const pageRequest = { headers: {}, protocol: 'https', host: 'docs.example:8443', acceptsGzip: false }
const answer = { status: 200, headers: { 'content-type': 'text/html; charset=utf-8', etag: 'W/"a"' }, body: null }

function answered(isKept: boolean, change: object = {}) {
  const page = pageText(html, nonce)
  const request = { pageRequest: { ...pageRequest, ...change }, isKept, assets: '/~recto/assets/v/' }
  return withPolicy({ ...answer, page }, request)
}

const directives = ({ headers }: { headers: Record<string, string> }) =>
  new Map(
    headers['content-security-policy']?.split('; ').map((text): [string, string] => {
      const [name = '', ...sources] = text.split(' ')
      return [name, sources.join(' ')]
    }),
  )
const bytesOf = ({ body }: { body: unknown }) => Buffer.concat(body as Buffer[])
const textOf = (page: { body: unknown }) => bytesOf(page).toString()

it('only elements of the reader have hashes: those that run, and stand in the page', () =>
  expect(inlineHashes(html)).toEqual({ scripts: [hash(script)], styles: [hash(style)] }))

describe('an answer that an edge keeps', () => {
  it('runs what is the reader’s own, and has no nonce', () => {
    const page = answered(true)
    expect(directives(page).get('script-src')).toBe(`${hash(script)} docs.example:8443/~recto/assets/v/`)
    expect(directives(page).get('style-src')).toBe(`'self' ${hash(style)}`)
    expect(textOf(page)).toBe(html.replaceAll(nonce, ''))
    expect(JSON.stringify(page.headers)).not.toContain('nonce')
  })

  it('is the same each time, compressed or not', () => {
    expect(answered(true)).toEqual(answered(true))
    const gzip = answered(true, { acceptsGzip: true })
    expect(gunzipSync(bytesOf(gzip)).toString()).toBe(html.replaceAll(nonce, ''))
  })

  it('is one that the browser has, and keeps its policy', () => {
    const same = answered(true, { headers: { 'if-none-match': 'W/"a"' } })
    expect([same.status, same.headers['content-security-policy']]).toEqual([304, undefined])
  })
})

it('every other answer has a nonce of its own, and the placeholder never leaves', () => {
  const one = answered(false)
  const other = answered(false)
  expect(directives(one).get('script-src')).toMatch(/^'nonce-[\w+/=]{24}'$/)
  expect(directives(one).get('script-src')).not.toBe(directives(other).get('script-src'))
  expect(textOf(one) + textOf(other)).not.toContain(nonce)
})
