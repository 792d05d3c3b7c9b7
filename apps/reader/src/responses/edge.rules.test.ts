import { expect, test } from '@jest/globals'
import { edgeTags, isKeptByEdges, keptHeaders, refusedHeaders, type EdgeCase } from './edge.rules.ts'

const times = { age: 86_400, stale: 3_600 }
const host = 'docs.example'
const page: EdgeCase = {
  method: 'GET',
  status: 200,
  headers: { host },
  host,
  prefersMarkdown: false,
  cacheControl: 'public, max-age=0, must-revalidate',
  setsCookies: false,
  isCurrent: true,
  isForEverybody: true,
}

test.each<[string, boolean, Partial<EdgeCase>]>([
  ['a page', true, {}],
  ['a HEAD of a page', true, { method: 'HEAD' }],
  ['a file', true, { cacheControl: 'public, max-age=15, must-revalidate' }],
  ['a page for somebody with the cookie of another program', true, { headers: { host, cookie: '_ga=1; a=recto-b' } }],
  ['a page at a port', true, { headers: { host: 'localhost:3010' }, host: 'localhost:3010' }],
  ['what is sent', false, { method: 'POST' }],
  ['a part of a file', false, { status: 206 }],
  ['a page that is not there', false, { status: 404 }],
  ['a redirect', false, { status: 308 }],
  ['a failure', false, { status: 503 }],
  ['what is for one visitor', false, { cacheControl: 'private, no-cache' }],
  ['what is not kept at all', false, { cacheControl: 'no-store' }],
  ['a site that some may read', false, { isForEverybody: false }],
  ['a page for a visitor who signed in', false, { headers: { host, cookie: 'a=b; __Host-recto-session=c' } }],
  ['a page for a visitor with a token', false, { headers: { host, cookie: 'recto-visitor=c' } }],
  ['a page for a visitor with claims', false, { headers: { host, cookie: 'a=b;recto-claims=c' } }],
  ['a page for a member who previews', false, { headers: { host, cookie: 'recto-preview=c' } }],
  ['a page for somebody with a token of their own', false, { headers: { host, authorization: 'Bearer a' } }],
  ['a page that leaves a cookie', false, { setsCookies: true }],
  ['a page from disk, while the API is away', false, { isCurrent: false }],
  ['the Markdown at the address of a page', false, { prefersMarkdown: true }],
  ['a page for another host than the one that the edge knows', false, { host: 'other.example' }],
  ['a page without a host', false, { headers: {} }],
  ['a page for a host that a policy cannot name', false, { headers: { host: "a;b'" }, host: "a;b'" }],
])('an edge keeps %s: %s', (_what, isKept, change) => {
  expect(isKeptByEdges(times, { ...page, ...change })).toBe(isKept)
  expect(isKeptByEdges({ ...times, age: 0 }, { ...page, ...change })).toBe(false)
})

test('an edge is told how long, browsers are told nothing, and every tag is in both headers', () => {
  const headers = keptHeaders(times, { tags: ['site:a', 'space:b'], vary: 'Accept' })
  const control = 'max-age=86400, stale-while-revalidate=60, stale-if-error=3600'
  expect(headers).toEqual({
    'surrogate-control': control,
    'cdn-cache-control': control,
    'surrogate-key': 'site:a space:b',
    'cache-tag': 'site:a,space:b',
    vary: 'Accept, Cookie, X-Forwarded-Proto',
  })
  expect(keptHeaders({ age: 60, stale: 0 }, { tags: [], vary: undefined })).toMatchObject({
    'surrogate-control': 'max-age=60, stale-while-revalidate=0, stale-if-error=0',
    vary: 'Cookie, X-Forwarded-Proto',
  })
  for (const value of Object.values(refusedHeaders)) expect(value).toBe('no-store')
})

test('a site with very many spaces has tags of no more than 4 kB, with its own and that of the open space', () => {
  const spaces = Array.from({ length: 2_000 }, (_, at) => `aSpaceOfTwentyOrSo${at}`)
  const tags = edgeTags({ organization: 'o', site: 's', spaces: ['open', ...spaces, 'open'] })
  expect(tags.slice(0, 4)).toEqual(['recto', 'organization:o', 'site:s', 'space:open'])
  expect(tags.join(' ').length).toBeLessThanOrEqual(4_096)
  expect(tags.length).toBeGreaterThan(100)
  expect(new Set(tags).size).toBe(tags.length)
})
