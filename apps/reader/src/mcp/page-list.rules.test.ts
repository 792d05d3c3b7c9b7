import { expect, it } from '@jest/globals'
import type { DocumentPage, Page } from '../api/types.ts'
import type { TreePage } from '../loaders/page-tree.rules.ts'
import { listedPages, partOf } from './page-list.rules.ts'

const aPage = (id: string, hidden = false) => ({ id, type: 'document', hidden }) as DocumentPage
const inTree = (page: DocumentPage, ...above: Page[]): TreePage => ({ page, above })
const idsOf = (pages: readonly TreePage[]) => pages.map(({ page }) => page.id)

it('Hidden pages and all below them are not listed', () => {
  const pages = [
    inTree(aPage('a')),
    inTree(aPage('b', true)),
    inTree(aPage('c'), aPage('b', true)),
    inTree(aPage('d'), aPage('a')),
  ]
  expect(idsOf(listedPages(pages))).toEqual(['a', 'd'])
})

it('A list is read in parts, each from where the one before ended, whatever was added before', () => {
  const pages = Array.from({ length: 250 }, (_, at) => inTree(aPage(String(at))))
  const first = partOf(pages, undefined)
  const second = partOf([inTree(aPage('new')), ...pages], first?.nextCursor)
  const third = partOf(pages, second?.nextCursor)
  expect([first, second, third].flatMap(part => idsOf(part?.pages ?? []))).toEqual(idsOf(pages))
  expect(third).not.toHaveProperty('nextCursor')
  expect(partOf(pages.slice(150), first?.nextCursor)).toBeUndefined()
  expect(partOf([], undefined)).toEqual({ pages: [] })
})
