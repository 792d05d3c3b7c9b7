import { describe, expect, test } from '@jest/globals'
import type { SpaceTag } from '@recto/markdown'
import { labelsOfPage, presentRevisionTags, presentTags, tagLabels, tagNames } from './page-tags.rules.ts'

const beta: SpaceTag = { slug: 'beta', label: 'Beta', color: 'red', icon: 'flask' }
const called = (slug: string) => ({ slug, label: slug, color: 'default' })
const pages = [{ tags: [{ tag: 'new' }, { tag: 'beta', primary: true }] }, {}, { tags: [{ tag: 'beta' }] }]

describe('the tags of pages', () => {
  test('A page refers to its tags by their names', () =>
    expect(presentTags(pages[0] ?? {})).toEqual([
      { tag: { kind: 'tag', tag: 'new' } },
      { tag: { kind: 'tag', tag: 'beta' }, primary: true },
    ]))

  test.each([
    ['nothing is described', [], pages, [called('beta'), called('new')]],
    ['a tag is described', [beta], pages, [beta, called('new')]],
    ['no page has a tag', [beta], [], [beta]],
    ['there is nothing', [], [], []],
  ])('A revision has described tags in their order, then others of its pages, when %s', (_when, described, of, tags) =>
    expect(presentRevisionTags(described, tagNames(of))).toEqual(tags),
  )

  test.each([
    ['described and others', pages[0], ['new', 'Beta']],
    ['none', {}, []],
    ['hidden by its layout', { ...pages[0], layout: { tags: false } }, []],
  ])('The labels that a page shows: %s', (_what, page = {}, labels) =>
    expect(labelsOfPage(page, tagLabels([beta]))).toEqual(labels),
  )
})
