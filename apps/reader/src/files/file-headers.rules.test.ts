import { expect, test } from '@jest/globals'
import { fileHeaders, fontHeaders } from './file-headers.rules.ts'

const headersOf = (status: number, headers: Record<string, string>) =>
  fileHeaders({ status, headers: new Headers(headers) }, true)

test.each([
  [200, 'image/png', 'image/png', undefined],
  [206, 'video/mp4', 'video/mp4', undefined],
  [200, 'text/plain; charset=utf-8', 'text/plain; charset=utf-8', undefined],
  [200, 'text/html', 'application/octet-stream', 'attachment'],
  [200, 'text/css', 'application/octet-stream', 'attachment'],
  [200, undefined, 'application/octet-stream', 'attachment'],
  [304, 'text/html', 'application/octet-stream', 'attachment'],
  [304, 'image/png', 'image/png', undefined],
  [304, undefined, undefined, undefined],
])('a reply of %i with the type %s is passed on as %s', (status, type, expected, disposition) => {
  const headers = headersOf(status, type === undefined ? {} : { 'content-type': type })
  expect([headers['content-type'], headers['content-disposition']]).toEqual([expected, disposition])
})

test('what a file says of itself is passed on, and what its store says of caches is not', () => {
  const headers = headersOf(206, {
    'content-type': 'image/png',
    etag: '"a"',
    'content-range': 'bytes 0-1/2',
    'cache-control': 'max-age=9999',
    'set-cookie': 'a=b',
    server: 'store',
  })
  expect(headers).toMatchObject({ etag: '"a"', 'content-range': 'bytes 0-1/2' })
  expect(headers['cache-control']).toBe('public, max-age=15, must-revalidate, no-transform')
  expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['set-cookie']))
})

test.each([
  [200, 'text/html', 'public, max-age=31536000, immutable'],
  [304, undefined, 'public, max-age=31536000, immutable'],
  [416, 'application/json', 'no-store'],
])('a font of %i with the type %s is a font, kept as %s', (status, type, expected) => {
  const headers = new Headers({
    etag: '"a"',
    'content-disposition': 'attachment',
    ...(type && { 'content-type': type }),
  })
  expect(fontHeaders({ status, headers }, { format: 'woff2', isForEverybody: true })).toMatchObject({
    etag: '"a"',
    'content-type': 'font/woff2',
    'cache-control': expected,
  })
  expect(fontHeaders({ status, headers }, { format: 'woff', isForEverybody: false })).not.toHaveProperty(
    'content-disposition',
  )
})
