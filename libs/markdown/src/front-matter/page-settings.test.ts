import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readPageSource } from './front-matter.ts'
import { frontMatterOf, pageSettings, type PageSettings } from './page-settings.ts'
import { writeFrontMatter } from './write-front-matter.ts'

const word = fc.stringMatching(/^[a-z][a-z ]{0,8}[a-z]$/)
const layout = fc.record(
  {
    width: fc.constantFrom('default' as const, 'wide' as const),
    coverSize: fc.constantFrom('hero' as const, 'full' as const, 'background' as const),
    coverMask: fc.constantFrom('none' as const, 'radial' as const),
    cover: fc.boolean(),
    title: fc.boolean(),
    description: fc.boolean(),
    tableOfContents: fc.boolean(),
    outline: fc.boolean(),
    pagination: fc.boolean(),
    metadata: fc.boolean(),
    tags: fc.boolean(),
    actions: fc.boolean(),
    anchors: fc.boolean(),
  },
  { requiredKeys: [] },
)
const settings: fc.Arbitrary<PageSettings> = fc.record(
  {
    linkTitle: word,
    metaLinks: fc.record({ canonical: word, alternates: fc.array(word) }, { requiredKeys: [] }),
    tags: fc.uniqueArray(fc.record({ tag: word, primary: fc.constant(true) }, { requiredKeys: ['tag'] }), {
      minLength: 1,
      maxLength: 3,
      selector: ({ tag }) => tag,
    }),
    description: word,
    icon: word,
    condition: word,
    layout,
    hidden: fc.boolean(),
    noIndex: fc.boolean(),
    noRobotsIndex: fc.boolean(),
    variables: fc.dictionary(
      word.map(name => name.replaceAll(' ', '_')),
      fc.oneof(word, fc.integer(), fc.boolean()),
    ),
  },
  { requiredKeys: [] },
)

it('Settings that are written to front matter are read as they were', () =>
  fc.assert(
    fc.property(settings, source => {
      const markdown = writeFrontMatter('# Title\n', frontMatterOf(source))
      const { frontMatter, warnings } = readPageSource(markdown, 'page.md')
      expect(warnings).toEqual([])
      expect(pageSettings(frontMatter)).toEqual(source)
    }),
  ))

it('Undefined settings are removed from front matter, and no others', () => {
  const markdown = writeFrontMatter(
    '',
    frontMatterOf({ icon: 'leaf', condition: 'a', variables: { n: 1 }, layout: {} }),
  )
  const changed = writeFrontMatter(
    markdown,
    frontMatterOf({ condition: undefined, variables: undefined, layout: undefined }),
  )
  expect(pageSettings(readPageSource(changed, 'page.md').frontMatter)).toEqual({ icon: 'leaf' })
})
