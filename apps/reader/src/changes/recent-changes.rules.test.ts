import { expect, it } from '@jest/globals'
import type { ListedSpace } from '../markdown/listed-spaces.ts'
import { changesByDay, recentChanges } from './recent-changes.rules.ts'

const page = (title: string, updatedAt?: string, hidden = false) => ({
  page: { id: title, title, hidden, ...(updatedAt !== undefined && { updatedAt }) },
  above: [],
})
const space = (...documents: object[]) => ({ title: 'Docs', tree: { documents } }) as unknown as ListedSpace
const spaces = [
  space(page('old', '2026-11-23T23:59:59.999Z'), page('hidden', '2026-11-25T00:00:00.000Z', true), page('undated')),
  space(page('new', '2026-11-24T12:00:00.000Z'), page('between', '2026-11-24T00:00:00.000Z')),
]
const titles = (changes: readonly { page: { title: string } }[]) => changes.map(({ page: { title } }) => title)

it('Recent changes are those of all spaces, the newest first, without pages that are hidden or have no date', () =>
  expect(titles(recentChanges(spaces, 10))).toEqual(['new', 'between', 'old']))

it('Recent changes are no more than the most', () => expect(titles(recentChanges(spaces, 1))).toEqual(['new']))

it('Changes are grouped by their day in UTC', () =>
  expect([...changesByDay(recentChanges(spaces, 10))].map(([day, changes]) => [day, titles(changes)])).toEqual([
    ['2026-11-24', ['new', 'between']],
    ['2026-11-23', ['old']],
  ]))
