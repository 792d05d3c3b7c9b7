import { expect, it } from '@jest/globals'
import { headLinks } from './meta-links.rules.ts'

const place = (name: string, language?: string) => ({ url: `https://site.test/${name}`, language })
const link = (name: string, hreflang?: string) => ({
  href: `https://site.test/${name}`,
  ...(hreflang !== undefined && { hreflang }),
})

it.each([
  ['Without meta links there are no links', {}, { alternates: [] }],
  ['A canonical page is linked', { canonical: place('a') }, { canonical: 'https://site.test/a', alternates: [] }],
  [
    'An alternate in a language is linked with it, and so is the page itself',
    { alternates: [place('fr/a', 'fr')], own: place('a', 'en') },
    { alternates: [link('a', 'en'), link('fr/a', 'fr')] },
  ],
  [
    'A page without language does not say one',
    { alternates: [place('fr/a', 'fr')], own: place('a') },
    { alternates: [link('fr/a', 'fr')] },
  ],
  [
    'A version has no language, and the page itself is not linked beside it',
    { alternates: [place('v1/a')], own: place('a', 'en') },
    { alternates: [link('v1/a')] },
  ],
  [
    'An alternate that cannot be seen is left out, and one that is there twice is there once',
    { alternates: [undefined, place('fr/a', 'fr'), place('a', 'en')], own: place('a', 'en') },
    { alternates: [link('a', 'en'), link('fr/a', 'fr')] },
  ],
])('%s', (_title, links, expected) => {
  expect(headLinks({ canonical: undefined, alternates: [], own: undefined, ...links })).toEqual(expected)
})
