import { expect, it } from '@jest/globals'
import { preparePages, searchPages, type IndexedPage } from './page-search.ts'

const page = (id: string, title: string, text: string): IndexedPage => ({
  id,
  title,
  description: '',
  path: id,
  sections: [
    { title: '', text: 'Before.' },
    { title: 'Part', anchor: 'part', text },
  ],
})
const pages = preparePages([
  page('a', 'Install', 'Run the program.'),
  page('b', 'Buffers', 'Install a buffer. Crème brûlée.'),
  page('c', 'Empty', ''),
])

it.each<[title: string, query: string, ids: string[]]>([
  ['a title comes before a text', 'install', ['a', 'b']],
  ['every word has to be there', 'install buffer', ['b']],
  ['a word may be the beginning of one', 'buf', ['b']],
  ['accents and case do not matter', 'CREME brulee', ['b']],
  ['what no page has', 'nothing', []],
  ['no words', ' .. ', []],
])('%s', (_title, query, ids) => expect(searchPages(query, pages).map(hit => hit.page.id)).toEqual(ids))

it('A hit names the section that has the words, and the text around them', () =>
  expect(searchPages('brulee', pages)[0]?.sections).toMatchObject([
    { anchor: 'part', excerpt: 'Install a buffer. Crème brûlée.' },
  ]))
