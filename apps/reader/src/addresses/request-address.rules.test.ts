import { describe, expect, it } from '@jest/globals'
import { requestAddress } from './request-address.rules.ts'

const options = { sitesUrl: 'https://{basename}.docs.example', readerHosts: ['localhost', '[::1]'] }

describe('the site of a request', () => {
  it.each([
    ['acme.docs.example', '/', 'https://acme.docs.example', '', '/'],
    ['ACME.docs.example:8080', '/a/b', 'https://acme.docs.example', '', '/a/b'],
    ['acme.docs.example.', '/a', 'https://acme.docs.example', '', '/a'],
    ['docs.acme.test', '/a', 'https://docs.acme.test', '', '/a'],
    ['localhost:3010', '/acme', 'https://acme.docs.example', '/acme', '/'],
    ['localhost:3010', '/acme/', 'https://acme.docs.example', '/acme', '/'],
    ['localhost', '/acme/a%2Fb/c', 'https://acme.docs.example', '/acme', '/a%2Fb/c'],
    ['[::1]:3010', '/acme/a', 'https://acme.docs.example', '/acme', '/a'],
    ['localhost', '/docs.acme.test/a', 'https://docs.acme.test', '/docs.acme.test', '/a'],
    ['localhost', '/url/preview/s1/a', 'https://preview', '/url/preview', '/s1/a'],
    ['localhost', '/url/preview/s1', 'https://preview', '/url/preview', '/s1/'],
  ])('%s %s is %s below "%s", at %s', (host, path, site, mountPath, rest) =>
    expect(requestAddress({ host, path }, options)).toEqual({
      site,
      mountPath,
      path: rest,
      isPreview: site === 'https://preview',
    }),
  )

  it.each([
    ['localhost', '/'],
    ['localhost', '//evil.example/a'],
    ['localhost', '/~recto/x'],
    ['localhost', '/a%2F..%2Fb/x'],
    ['localhost', '/-a/x'],
    ['evil host', '/'],
    ['a@b', '/'],
    ['', '/'],
    [`${'a'.repeat(64)}.test`, '/'],
  ])('there is none for %s %s', (host, path) => expect(requestAddress({ host, path }, options)).toBeUndefined())
})
