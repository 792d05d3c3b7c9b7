import { describe, expect, it } from '@jest/globals'
import { indexPages } from '../pages/page-tree.ts'
import type { PageRecord } from '../revisions/records.ts'
import { followPath } from './follow-path.rules.ts'
import { findDroppedPaths } from './former-paths.rules.ts'

interface PageFields {
  parent?: string
  order?: string
  file?: string
  type?: PageRecord['type']
}

/** Makes a page tree of pages by id, each with its slug. */
function tree(pages: Record<string, string | ({ slug: string } & PageFields)>) {
  const records = Object.entries(pages).map(([id, page]): PageRecord => {
    const {
      slug,
      parent = null,
      order = id,
      type = 'document',
      file,
    } = typeof page === 'string' ? { slug: page } : page
    const times = { createdAt: '', updatedAt: '' }
    return { id, type, title: id, parent, order, slug, ...(file !== undefined && { file }), ...times }
  })
  return indexPages(records)
}

describe('paths that a change drops', () => {
  const below = (slug: string, parent: string) => ({ slug, parent })
  it.each<[string, Parameters<typeof tree>[0], Parameters<typeof tree>[0], Record<string, string>]>([
    ['none without a change', { a: 'one' }, { a: 'one' }, {}],
    ['that of a renamed page, in lower case', { a: 'One' }, { a: 'two' }, { one: 'a' }],
    ['that of a moved page', { a: 'one', b: 'two' }, { a: 'one', b: below('two', 'a') }, { two: 'b' }],
    [
      'those of the pages below a renamed one',
      { a: 'one', b: below('two', 'a'), c: below('three', 'b') },
      { a: 'new', b: below('two', 'a'), c: below('three', 'b') },
      { one: 'a', 'one/two': 'b', 'one/two/three': 'c' },
    ],
    ['none of a deleted page', { a: 'one', b: 'two' }, { b: 'two' }, {}],
    ['that which another page has now', { a: 'one' }, { a: 'two', b: 'one' }, { one: 'a' }],
    ['none of a page behind another of the same path', { a: 'one', b: 'one' }, { a: 'one', b: 'two' }, {}],
    ['none that no source can be', { a: 'x'.repeat(513), b: 'a\0b' }, { a: 'one', b: 'two' }, {}],
  ])('Dropped paths of a change are %s', (_what, before, after, expected) => {
    expect(Object.fromEntries(findDroppedPaths(tree(before), tree(after)))).toEqual(expected)
  })
})

describe('a path', () => {
  const pages = tree({
    a: { slug: 'guide', file: 'docs/guide/README.md' },
    b: { slug: 'setup', parent: 'a', file: 'docs/guide/setup.md' },
    c: 'used',
  })
  const follow = (path: string, redirects: Record<string, string>) => {
    const configuration = { root: 'docs', readme: 'docs/README.md', summary: 'docs/SUMMARY.md', redirects }
    const result = followPath(path, { spaceId: 's', pages, configuration })
    return result && ('page' in result ? result.page.id : result.path)
  }

  it.each<[string, string, Record<string, string>, string | undefined]>([
    ['that a page has', 'guide/setup', {}, 'b'],
    ['that a page has in another case', 'Guide/SETUP', {}, 'b'],
    ['that is redirected to a file', 'old', { old: 'guide/setup.md' }, 'b'],
    [
      'that is redirected in another case, with slashes around it',
      'OLD/page',
      { '/old/page/': './guide/setup.md#top' },
      'b',
    ],
    ['that is redirected to the README of a folder', 'old', { old: 'guide/' }, 'a'],
    ['that is redirected to the path of a page', 'old', { old: 'guide/setup' }, 'b'],
    ['that is redirected twice', 'old', { old: 'older', older: 'guide/README.md' }, 'a'],
    ['that is redirected to a missing page', 'old', { old: 'gone/README.md' }, 'gone'],
    ['that a page has although it is redirected', 'used', { used: 'guide/setup.md' }, 'c'],
    ['that is redirected in a circle', 'one', { one: 'two.md', two: 'one' }, undefined],
    ['that is redirected to itself', 'one', { one: 'one.md' }, undefined],
    [
      'that is redirected too often',
      'r0',
      Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`r${at}`, at < 11 ? `r${at + 1}` : 'used'])),
      undefined,
    ],
    ['that is redirected to another site', 'old', { old: 'https://example.test/guide' }, 'https://example.test/guide'],
    ['that is unknown', 'nothing', {}, 'nothing'],
  ])('followPath follows a path %s', (_what, path, redirects, expected) =>
    expect(follow(path, redirects)).toBe(expected),
  )
})
