import { expect, it } from '@jest/globals'
import { isOwnUrl } from './own-url.rules.ts'

const site = { id: 'site', basename: 'docs', hostname: 'docs.acme.example', proxy: 'acme.example/help' }
const installation = { sitesUrl: 'https://{basename}.docs.localhost', readerUrl: 'https://reader.example/read' }

it.each<[string, boolean]>([
  ['https://docs.docs.localhost/a', true],
  ['http://DOCS.docs.localhost:8080', true],
  ['https://docs.acme.example./a', true],
  ['https://acme.example/Help/a', true],
  ['https://acme.example/%68elp/a', true],
  ['https://acme.example/other', false],
  ['https://other.docs.localhost/a', false],
  ['https://reader.example/read/url/preview/site/a', true],
  ['https://reader.example/read/url/preview/another', false],
  ['https://elsewhere.example', false],
])('whether %s is a URL of the site itself: %s', (url, expected) =>
  expect(isOwnUrl(url, site, installation)).toBe(expected),
)
