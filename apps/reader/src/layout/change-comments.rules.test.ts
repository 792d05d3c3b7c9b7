import { describe, expect, it } from '@jest/globals'
import type { ChangeComment } from '../api/types.ts'
import { commentOverview } from './change-comments.rules.ts'

let count = 0
const comment = (page?: string, status: ChangeComment['status'] = 'open'): ChangeComment => ({
  object: 'change-comment',
  id: `c${count++}`,
  author: 'Ada',
  postedAt: '2026-11-26T10:00:00.000Z',
  markdown: 'Why?',
  status,
  ...(page !== undefined && { page: { id: page, title: page.toUpperCase() } }),
  outdated: false,
  replies: [],
  replyCount: 0,
})

describe('commentOverview', () => {
  const pages = new Set(['a', 'b'])
  const all = [
    comment(),
    comment('a'),
    comment('a', 'resolved'),
    comment('b'),
    comment('b'),
    comment('gone'),
    comment('x', 'resolved'),
  ]
  const overview = commentOverview(all, pages, id => ['a', 'b', 'x'].includes(id))

  it('Comments on nothing, and on pages that are gone, stand in the list', () =>
    expect(overview.general.map(({ page }) => page?.id)).toEqual([undefined, 'gone']))

  it('Open comments are counted by page', () =>
    expect([...overview.open]).toEqual([
      ['a', 1],
      ['b', 2],
      ['x', 0],
    ]))

  it('Pages that are not in the list and have comments are named besides', () =>
    expect(overview.otherPages).toEqual([{ id: 'x', title: 'X', open: 0 }]))

  it('No comment is left out', () =>
    expect(overview.general.length + all.filter(({ page }) => page && overview.open.has(page.id)).length).toBe(
      all.length,
    ))
})
