import { expect, it } from '@jest/globals'
import type { SearchResult } from '../api/types.ts'
import { hitOfSource } from './sources.rules.ts'

const sections = [
  { id: 'p-0', path: 'install', title: 'Install', body: 'first' },
  { id: 'p-1', path: 'install#check', title: 'Check', body: 'second' },
  { id: 'p-2', path: 'install#check', title: 'Check', body: 'third' },
  { id: 'p-4', path: 'install#install', title: 'Install', body: 'below the same heading' },
  { id: 'p-3', path: 'install#remove', title: 'Remove', body: 'fourth' },
]
const result = {
  items: [{ id: 's', pages: [{ id: 'p', path: 'install', title: 'Install', sections }] }],
} as unknown as SearchResult
const source = { type: 'page' as const, page: 'p', space: 's', revision: 'r', sections: [] as string[] }

it.each([
  [['p-0', 'p-4'], []],
  [['p-1', 'p-2'], ['install#check']],
  [
    ['p-3', 'p-1', 'p-9'],
    ['install#check', 'install#remove'],
  ],
])('Of the sections %j the places %j are shown', (ids, places) => {
  const { items } = hitOfSource(result, { ...source, sections: ids })
  expect(items.flatMap(({ pages }) => pages.flatMap(page => page.sections.map(({ path }) => path)))).toEqual(places)
})

it.each([[{ page: 'other' }], [{ space: 'other' }]])('A source with %j is in no search that lacks it', more => {
  expect(hitOfSource(result, { ...source, ...more })).toEqual({ items: [] })
})
