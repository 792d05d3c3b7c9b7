import { expect, test } from '@jest/globals'
import { pathOfAddress } from './page-address.rules.ts'

/** A site at `https://docs.test`, which the reader shows below `/docs`, with a space at `/v2/`. */
const place = {
  mountPath: '/docs',
  origin: 'http://localhost:3010',
  links: {
    root: '/docs/',
    space: '/docs/v2/',
    ofPublished: (url: string) => url.replace('https://docs.test', '/docs'),
  },
}

test.each([
  ['guide', '/v2/guide'],
  ['/guide', '/guide'],
  ['\\guide', '/guide'],
  ['//evil.test/guide', '/evil.test/guide'],
  ['guide/first.md#part', '/v2/guide/first'],
  ['.md', '/v2/.md'],
  ['größe', '/v2/gr%C3%B6%C3%9Fe'],
  ['', '/v2'],
  ['/', '/'],
  ['../guide', '/guide'],
  ['https://docs.test/v2/guide?a=b', '/v2/guide'],
  ['https://docs.test', undefined],
  ['https://docs.test/', '/'],
  ['http://localhost:3010/docs/guide', '/guide'],
  ['http://localhost:3010/other/guide', undefined],
  ['https://docs.test.evil.test/guide', undefined],
  ['https://evil.test/guide', undefined],
])('the address "%s" is the path %j', (address, path) => expect(pathOfAddress(address, place)).toBe(path))
