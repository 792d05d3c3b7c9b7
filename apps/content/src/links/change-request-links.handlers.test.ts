import type { ContentLocation } from '@recto/contracts-content'
import type { Db } from '@recto/database'
import { eventually, failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { z } from 'zod'
import { lockProjection } from '../projection/main-projections.repository.ts'
import type { Change } from '../test/an-editor.ts'
import { aProposer } from '../test/a-proposer.ts'
import { aContent, aSpace, type ContentSetup, importInto, type TestContent } from '../test/content-setup.ts'
import { statementsOf } from '../test/statements.ts'
import { untilProjected } from '../test/until-projected.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { as, propose, edit, idOf } = aProposer(() => content)
type Proposed = Awaited<ReturnType<typeof propose>>
type Query = Parameters<ReturnType<typeof as>['listChangeRequestLinks']>[0]['query']

const paramsOf = ({ space, id }: Pick<Proposed, 'space' | 'id'>) => ({ spaceId: space, changeRequestId: id })
const write = (page: string, markdown: string): Change => ({ operation: 'update_page', page, document: { markdown } })

const manual: TestContent = {
  pages: {
    start: '# Start\n\n[guide](guide.md) [setup](guide.md#setup) [later](later.md) ![a](assets/a.txt)\n',
    guide: '# Guide\n\n[missing](missing.md) [self](#setup) [nowhere](#nowhere)\n\n## Setup\n\n[by path](/more)\n',
    'guide/deep': '# Deep\n\n[up](../guide.md) [web](https://example.com/) [b](../assets/b%20c.txt)\n',
    other: '# Other\n\n{% include ".gitbook/includes/note.md" %}\n\n[start](start.md)\n',
  },
  fields: { other: { slug: 'more' } },
  files: { 'a.txt': 'a', 'b c.txt': 'b' },
  reusable: { note: '## Note\n\n[guide](../../guide.md#setup) [own](#note) [lost](lost.md)\n' },
}

type Location = z.output<typeof ContentLocation>
type Links = Awaited<ReturnType<ReturnType<typeof as>['listSpaceLinks']>>

function nameOf(location: Location | undefined): unknown {
  if (location?.kind === 'page') return [location.page.title, location.internalLocation?.anchor ?? '']
  if (location?.kind === 'file') return location.file.name
  if (location?.kind === 'reusable-content') return location.reusableContent.title
  return location?.kind === 'url' ? location.url : location?.kind
}

const placesOf = (places: Location[]) => places.map(nameOf).toSorted()

/** Summarizes links by their text, without the ids that lists are ordered by. */
const summarize = ({ items, count, stats }: Links) => ({
  items: items
    .map(({ status, relation, targetReference, locationReferences }) =>
      JSON.stringify([status, relation, nameOf(targetReference), placesOf(locationReferences)]),
    )
    .toSorted(),
  count,
  total: stats.total,
  broken: stats.broken.total,
})
const spaceLinks = (spaceId: string) => as('read').listSpaceLinks({ params: { spaceId }, query: { limit: 1_000 } })
const linksOf = async (proposed: Pick<Proposed, 'space' | 'id'>, query: Query = {}) =>
  as('read').listChangeRequestLinks({ params: paramsOf(proposed), query: { limit: 1_000, ...query } })

async function aManual(manualContent: TestContent = manual): Promise<string> {
  const spaceId = await aSpace(content)
  await importInto(content, spaceId, manualContent)
  await untilProjected(content, spaceId)
  return spaceId
}

async function pageIds(spaceId: string) {
  const start = await idOf(spaceId, 'start')
  const guide = await idOf(spaceId, 'guide')
  const deep = await idOf(spaceId, 'guide/deep')
  const other = await idOf(spaceId, 'more')
  const { items } = await as('read').listFiles({ params: { spaceId } })
  return { start, guide, deep, other, file: items[0]?.id ?? '' }
}
type Ids = Awaited<ReturnType<typeof pageIds>>

describe('links of a change request', () => {
  it('Links of a change request without changes are those of main content, and none is introduced as broken', async () => {
    const spaceId = await aManual()
    const proposed = await propose(spaceId)
    const { stats, ...listed } = await linksOf(proposed)
    const main = await spaceLinks(spaceId)
    expect(listed).toEqual({ items: main.items, count: main.count })
    expect(stats).toEqual({ total: main.stats.total, broken: { total: 4, changeRequest: 0 } })
    const places = [['Page guide', ''], ['Page start', ''], 'note']
    expect(summarize(main).items).toContainEqual(JSON.stringify(['ok', 'reference', ['Page guide', 'setup'], places]))
    expect(summarize(main).items).toContainEqual(JSON.stringify(['ok', 'reference', 'note', ['note']]))
    expect(summarize(main).items).toContainEqual(JSON.stringify(['broken', 'reference', null, ['note']]))
  })

  const edits: [string, (ids: Ids) => Change[]][] = [
    ['writes a text', ({ start }) => [write(start, '# Start\n\n[x](x.md) [deep](guide/deep.md) [again](guide.md)\n')]],
    ['removes a heading', ({ guide }) => [write(guide, '# Guide\n\n[missing](missing.md)\n')]],
    ['adds a heading', ({ guide }) => [write(guide, '# Guide\n\n[nowhere](#nowhere)\n\n## Nowhere\n\n## Setup\n')]],
    ['adds a page that links wait for', () => [{ operation: 'insert_page', title: 'Missing' }]],
    [
      'adds a page with links to what it adds',
      () => [
        { operation: 'insert_page', title: 'Later', ref: 'later', document: { markdown: '[n](ref:new)\n' } },
        {
          operation: 'insert_page',
          title: 'New',
          into: 'later',
          ref: 'new',
          document: { markdown: '# New\n[s](../start.md)\n' },
        },
      ],
    ],
    ['deletes a page', ({ deep }) => [{ operation: 'delete_page', page: deep }]],
    ['deletes a page with a page below it', ({ guide }) => [{ operation: 'delete_page', page: guide }]],
    ['moves pages', ({ guide, other }) => [{ operation: 'update_page', page: other, into: guide }]],
    ['renames a slug', ({ other }) => [{ operation: 'update_page', page: other, slug: 'handbook' }]],
    ['deletes a file', ({ file }) => [{ operation: 'delete_file', file }]],
    [
      'adds a file',
      ({ start }) => [
        { operation: 'insert_files', files: [{ name: 'n.txt', base64: 'bg==', ref: 'n' }] },
        write(start, '![n](ref:n)\n'),
      ],
    ],
    [
      'changes everything at once',
      ({ start, guide, deep, other, file }) => [
        write(start, '# Start\n\n[deep](guide/deep.md#deep) [x](x.md)\n'),
        { operation: 'update_page', page: deep, into: null },
        { operation: 'delete_page', page: guide },
        { operation: 'delete_file', file },
        { operation: 'insert_page', title: 'Missing', into: other },
        { operation: 'update_page', page: start, slug: 'begin', into: other },
      ],
    ],
  ]
  it.each(edits)(
    'Links of a change request that %s are those of main content after its merge',
    async (_what, changes) => {
      const spaceId = await aManual()
      const before = summarize(await spaceLinks(spaceId))
      const proposed = await propose(spaceId)
      await edit(proposed, ...changes(await pageIds(spaceId)))
      const changeRequestList = await linksOf(proposed)
      expect(summarize(await spaceLinks(spaceId))).toEqual(before)
      expect(summarize(changeRequestList)).not.toEqual(before)
      await as('review').mergeChangeRequest({ params: paramsOf(proposed) })
      await untilProjected(content, spaceId)
      expect(summarize(changeRequestList)).toEqual(summarize(await spaceLinks(spaceId)))
    },
  )

  const later: [string, TestContent][] = [
    ['other texts', { ...manual, pages: { ...manual.pages, start: '[x](x.md)\n', guide: '# G\n\n## Other\n' } }],
    ['other pages', { ...manual, pages: { start: '# S\n', later: '# L\n', new: '[a](start.md)\n' } }],
    ['other files', { ...manual, files: { 'c.txt': 'c' } }],
    ['other reusable contents', { ...manual, reusable: { other: '[g](../../guide.md)\n' } }],
    ['another text of a reusable content', { ...manual, reusable: { note: '[web](https://example.com/n)\n' } }],
    ['nothing', { pages: {} }],
  ]
  it.each(later)('Links of a change request stay what they are while main content becomes %s', async (_what, next) => {
    const spaceId = await aManual()
    const before = summarize(await spaceLinks(spaceId))
    const proposed = await propose(spaceId)
    await importInto(content, spaceId, next, { oid: 'later' })
    await untilProjected(content, spaceId)
    expect(summarize(await spaceLinks(spaceId))).not.toEqual(before)
    expect(summarize(await linksOf(proposed))).toEqual(before)
  })

  it('Links of a change request are right while search and links lag behind main content', async () => {
    const spaceId = await aManual()
    const { start, guide } = await pageIds(spaceId)
    const lag = await content.service.db.transaction(async tx => {
      await lockProjection(tx as Db, spaceId)
      await as('edit').updateContent({
        params: { spaceId },
        body: { changes: [write(guide, '# Guide\n\n## Other\n')] },
      })
      const proposed = await propose(spaceId)
      await edit(proposed, write(start, '[a](guide.md#other) [b](guide.md#setup)\n'))
      return { proposed, shown: await linksOf(proposed) }
    })
    await untilProjected(content, spaceId)
    expect(summarize(await linksOf(lag.proposed))).toEqual(summarize(lag.shown))
    // The broken link that the change request adds is counted by the links shown for main content.
    expect(lag.shown.stats.broken).toEqual({ total: 2, changeRequest: 1 })
    expect((await linksOf(lag.proposed)).stats.broken).toEqual({ total: 2, changeRequest: 0 })
    await as('review').mergeChangeRequest({ params: paramsOf(lag.proposed) })
    await untilProjected(content, spaceId)
    expect(summarize(lag.shown)).toEqual(summarize(await spaceLinks(spaceId)))
  })

  it('Broken links of a change request are divided into introduced ones and others', async () => {
    const spaceId = await aManual()
    const { start, guide } = await pageIds(spaceId)
    const proposed = await propose(spaceId)
    await edit(
      proposed,
      write(start, '[later](later.md) [new](new.md) [guide](guide.md#setup)\n'),
      write(guide, '# Guide\n\n[missing](missing.md)\n'),
    )
    const { stats } = await linksOf(proposed)
    // The change request introduces new.md, and #setup, to which start and the reusable content refer.
    expect(stats.broken).toEqual({ total: 5, changeRequest: 2 })
    const introduced = await linksOf(proposed, { brokenContext: 'change-request' })
    expect(introduced).toMatchObject({ count: 2, stats })
    expect(summarize(introduced).items).toEqual([
      JSON.stringify(['broken', 'reference', null, [['Page start', ''], 'note']]),
      JSON.stringify(['broken', 'reference', null, [['Page start', '']]]),
    ])
    expect(await linksOf(proposed, { brokenContext: 'space' })).toMatchObject({ count: 3, stats })
    expect(await linksOf(proposed, { status: 'broken' })).toMatchObject({ count: 5, stats })
    expect(await linksOf(proposed, { status: 'ok', brokenContext: 'space' })).toMatchObject({
      count: 0,
      items: [],
    })
    const params = { ...paramsOf(proposed), pageId: start }
    expect(await as('read').listPageLinksInChangeRequest({ params, query: { status: 'broken' } })).toMatchObject({
      count: 3,
      stats: { total: 3, broken: { total: 3, changeRequest: 2 } },
    })
  })

  it('Broken links that main content has in another place are not introduced by a change request', async () => {
    const spaceId = await aManual({ pages: { start: '[lost](lost.md)\n', guide: '# G\n' } })
    const start = await idOf(spaceId, 'start')
    const guide = await idOf(spaceId, 'guide')
    const proposed = await propose(spaceId)
    await edit(proposed, write(start, '# S\n'), write(guide, '[lost](./lost.md) [new](new.md) [too](./new.md)\n'))
    expect((await linksOf(proposed)).stats).toEqual({ total: 2, broken: { total: 2, changeRequest: 1 } })
    const params = { ...paramsOf(proposed), pageId: guide }
    const { stats } = await as('read').listPageLinksInChangeRequest({ params })
    expect(stats).toEqual({ total: 2, broken: { total: 2, changeRequest: 1 } })
  })

  it('Links of a change request are listed page by page', async () => {
    const spaceId = await aManual()
    const { start } = await pageIds(spaceId)
    const proposed = await propose(spaceId)
    await edit(proposed, write(start, '[a](a.md) [b](b.md) [c](c.md)\n'))
    const all = await linksOf(proposed)
    const pages: Links['items'] = []
    for (let page: string | undefined; ;) {
      const one = await linksOf(proposed, { limit: 4, ...(page !== undefined && { page }) })
      pages.push(...one.items)
      page = one.next?.page
      if (page === undefined) break
    }
    expect(pages).toEqual(all.items)
  })

  it('A list of links of a change request takes as many statements for a thousand as for ten', async () => {
    const many = (count: number, name = 'p') =>
      Array.from({ length: count }, (_, at) => `[l](${name}${at}.md)`).join('\n\n')
    const proposals = await Promise.all(
      [10, 1_000].map(async count => {
        const spaceId = await aManual({ pages: { start: many(count), guide: '# G\n' } })
        const proposed = await propose(spaceId)
        await edit(proposed, write(await idOf(spaceId, 'guide'), many(count, 'g')))
        await linksOf(proposed)
        return { proposed, count }
      }),
    )
    const statements = ({ proposed, count }: (typeof proposals)[number]) =>
      statementsOf(content.service.db, async () => expect((await linksOf(proposed)).count).toBe(2 * count))
    // The search reads the pages meanwhile, a thousand links for longer than ten.
    await eventually(async () => {
      const [few, lots] = proposals.map(proposal => () => statements(proposal))
      expect(await lots?.()).toBe(await few?.())
    })
  })
})

describe('backlinks in a change request', () => {
  const backlinks = async (proposed: Proposed, target: { pageId: string } | { fileId: string }) => {
    const params = { ...paramsOf(proposed), ...target }
    const { items, count } =
      'pageId' in params
        ? await as('read').listChangeRequestPageBacklinks({ params })
        : await as('read').listChangeRequestFileBacklinks({ params })
    expect(count).toBe(items.length)
    return items
      .map(nameOf)
      .map(name => JSON.stringify(name))
      .toSorted()
  }

  it('Backlinks of pages and files in a change request, also of new ones, come from its content', async () => {
    const spaceId = await aManual()
    const { start, guide, deep, other, file } = await pageIds(spaceId)
    const proposed = await propose(spaceId)
    expect(await backlinks(proposed, { pageId: guide })).toEqual([
      '"note"',
      '["Page guide/deep",""]',
      '["Page start",""]',
    ])
    expect(await backlinks(proposed, { fileId: file })).toEqual(['["Page start",""]'])
    const { changes } = await edit(
      proposed,
      write(start, '# Start\n'),
      write(other, '## More\n\n[guide](guide.md) [new](ref:new)\n'),
      { operation: 'delete_page', page: deep },
      { operation: 'insert_page', title: 'New', ref: 'new' },
    )
    expect(await backlinks(proposed, { pageId: guide })).toEqual(['"note"', '["Page other","more"]'])
    expect(await backlinks(proposed, { fileId: file })).toEqual([])
    expect(await backlinks(proposed, { pageId: changes.at(-1)?.page?.id ?? '' })).toEqual(['["Page other","more"]'])
  })

  it('Backlinks of pages and files that a change request does not have are not found', async () => {
    const spaceId = await aManual()
    const { deep, file } = await pageIds(spaceId)
    const proposed = await propose(spaceId)
    await edit(proposed, { operation: 'delete_page', page: deep }, { operation: 'delete_file', file })
    const params = { ...paramsOf(proposed), pageId: deep, fileId: file }
    const attempts = [
      () => as('read').listPageLinksInChangeRequest({ params }),
      () => as('read').listChangeRequestPageBacklinks({ params }),
      () => as('read').listChangeRequestFileBacklinks({ params }),
      () => as('read').listChangeRequestLinks({ params: { spaceId, changeRequestId: 'none' } }),
      () => content.as(undefined).listChangeRequestLinks({ params }),
    ]
    for (const attempt of attempts) expect(await failure(attempt())).toBe('not_found')
  })
})
