import { expect, it } from '@jest/globals'
import type { ConvertedPage, ConvertedSet } from '@recto/convert'
import { addedRecords } from '../pages/added-pages.ts'
import { withSettingsOfSet } from './settings-of-set.rules.ts'

const page = (fields: Partial<ConvertedPage> & Pick<ConvertedPage, 'title'>): ConvertedPage => ({
  type: 'document',
  slug: fields.title.toLowerCase(),
  pages: [],
  ...fields,
})
const image = { path: '.gitbook/assets/a.png', name: 'a.png', hash: 'h', size: 1, contentType: 'image/png' }
const set = (text: string): ConvertedSet => ({
  pages: [
    page({ title: 'A', file: 'a.md', markdown: '---\nicon: leaf\n---\n# A\n' }),
    page({
      title: 'Guides',
      type: 'group',
      pages: [page({ title: 'Status', type: 'link', href: 'https://status.test' }), page({ title: 'Soon' })],
    }),
  ],
  files: [image],
  warnings: [],
  total: 3,
  imported: 3,
  settings: { path: '.gitbook/recto.yaml', text },
})
const settings = `version: 1
pages:
  a.md: {emoji: 1f680, slug: start}
entries:
  "group: Guides": {condition: visitor.claims.beta, slug: howto}
  "group: Guides > link: Status": {hidden: true, emoji: 1f4d8}
  "group: Guides > text: Soon": {noIndex: true, description: Later}
files:
  .gitbook/assets/a.png: {name: logo.png}
`

it('Pages and files of an archive get the settings of its settings file', () => {
  const result = withSettingsOfSet(set(settings))
  expect(result).not.toHaveProperty('settings')
  expect(result.warnings).toEqual([])
  let count = 0
  const place = { parent: null, siblings: [], takenFiles: [], now: '2026-01-01T00:00:00.000Z' }
  const { pages, files } = addedRecords(result, { ...place, newId: () => String(count++) })
  expect(files).toMatchObject([{ name: 'logo.png', file: '.gitbook/assets/a.png' }])
  expect(pages).toMatchObject([
    { title: 'A', icon: 'leaf', emoji: '1f680', slug: 'start' },
    { title: 'Guides', condition: 'visitor.claims.beta', slug: 'howto' },
    { title: 'Status', hidden: true, emoji: '1f4d8' },
    { title: 'Soon', noIndex: true, description: 'Later' },
  ])
})

it.each(['a: [', 'version: 1\nentries: [1]', "version: 1\nentries: {'group: Gone': {condition: visitor.claims.beta}}"])(
  'A settings file that cannot be read, or has a condition of a missing page, is refused: %j',
  text => expect(() => withSettingsOfSet(set(text))).toThrow('.gitbook/recto.yaml'),
)
