import { eventually, failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, aSpace, type ContentSetup, importInto, organization } from '../../test/content-setup.ts'
import { statementsOf } from '../../test/statements.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const manual = {
  pages: {
    start:
      '# Start\n\n[guide](guide.md) and [again](guide.md#setup)\n\n## More\n\n[guide](guide.md) ![p](assets/a%20b.txt)\n',
    guide: '# Guide\n\n[missing](missing.md)\n\n## Setup\n\n[home](start.md#nowhere) [self](#setup)\n',
    'guide/deep': '[up](../guide.md) [web](https://example.com/) [app](http://recto.test/c/x)\n',
  },
  files: { 'a b.txt': 'text' },
}
const reader = () => content.as('read')
const linksOf = (spaceId: string, query = {}) => reader().listSpaceLinks({ params: { spaceId }, query })
const synced = (spaceId: string, total: number) =>
  eventually(async () => expect((await linksOf(spaceId)).stats.total).toBe(total))

async function pageIds(spaceId: string): Promise<Record<string, string>> {
  const { pages } = await reader().listPages({ params: { spaceId } })
  const all = pages.flatMap(page => [page, ...('pages' in page ? page.pages : [])])
  return Object.fromEntries(all.map(page => ['path' in page ? page.path : '', page.id]))
}

async function aManual(pages: Record<string, string> = manual.pages): Promise<string> {
  const spaceId = await aSpace(content)
  await importInto(content, spaceId, { ...manual, pages })
  return spaceId
}

describe('links of a space', () => {
  it('of links in the page tree are in pages with their target', async () => {
    const spaceId = await aSpace(content)
    const entries = [{ type: 'link' as const, title: 'L', href: 'guide.md' }]
    await importInto(content, spaceId, { pages: { guide: '# Guide\n' }, entries })
    await synced(spaceId, 1)
    const { guide } = await pageIds(spaceId)
    const { items } = await linksOf(spaceId)
    expect(items).toMatchObject([
      { locationReferences: [{ page: { type: 'link', target: { kind: 'page', page: guide } } }] },
    ])
  })

  it('have a status, whole objects and the sections they are in', async () => {
    const spaceId = await aManual()
    await synced(spaceId, 9)
    const { items, stats, count } = await linksOf(spaceId)
    expect({ stats, count }).toEqual({ stats: { total: 9, broken: { total: 2 } }, count: 9 })
    const ids = await pageIds(spaceId)
    const toGuide = items.find(
      ({ targetReference: target, locationReferences: [from] }) =>
        target?.kind === 'page' &&
        !target.internalLocation &&
        from?.kind === 'page' &&
        from.page.title === 'Page start',
    )
    const embedded = { organization: { object: 'organization', id: organization }, space: { id: spaceId } }
    expect(toGuide).toMatchObject({
      status: 'ok',
      relation: 'reference',
      targetReference: { ...embedded, kind: 'page', page: { id: ids.guide, path: 'guide', pages: [] } },
      locationReferences: [
        { ...embedded, kind: 'page', page: { id: ids.start } },
        { page: { id: ids.start }, internalLocation: { type: 'anchor', anchor: 'more' } },
      ],
    })
  })

  it('are listed by status, and stats do not depend on it', async () => {
    const spaceId = await aManual()
    await synced(spaceId, 9)
    const broken = await linksOf(spaceId, { status: 'broken' })
    expect(broken).toMatchObject({ count: 2, stats: { total: 9, broken: { total: 2 } } })
    for (const item of broken.items) expect(item).not.toHaveProperty('targetReference')
    expect(await linksOf(spaceId, { status: 'in-app' })).toMatchObject({
      count: 1,
      items: [{ status: 'in-app', targetReference: { kind: 'url', url: 'http://recto.test/c/x' } }],
    })
    const pages = []
    for (let page: string | undefined; ;) {
      const one = await linksOf(spaceId, { limit: 4, ...(page !== undefined && { page }) })
      pages.push(...one.items)
      page = one.next?.page
      if (page === undefined) break
    }
    expect(pages).toHaveLength(9)
  })

  it('are those of one page for a page, and missing pages are not found', async () => {
    const spaceId = await aManual()
    await synced(spaceId, 9)
    const { guide: pageId = '' } = await pageIds(spaceId)
    expect(await reader().listPageLinksInSpace({ params: { spaceId, pageId } })).toMatchObject({
      count: 3,
      stats: { total: 3, broken: { total: 2 } },
    })
    const missing = [
      () => reader().listPageLinksInSpace({ params: { spaceId, pageId: 'x' } }),
      () => reader().listSpacePageBacklinks({ params: { spaceId, pageId: 'x' } }),
      () => reader().listSpaceFileBacklinks({ params: { spaceId, fileId: 'x' } }),
      () => content.as(undefined).listSpaceLinks({ params: { spaceId } }),
    ]
    for (const attempt of missing) expect(await failure(attempt())).toBe('not_found')
  })

  it('follow edits: a mended link is no longer broken, and a heading that goes breaks links to it', async () => {
    const spaceId = await aManual()
    await synced(spaceId, 9)
    const mended = { ...manual.pages, start: `${manual.pages.start}\n## Nowhere\n`, missing: 'Here.\n' }
    await importInto(content, spaceId, { ...manual, pages: mended }, { oid: 'mended' })
    await eventually(async () => expect((await linksOf(spaceId)).stats).toEqual({ total: 9, broken: { total: 0 } }))
    const without = { ...mended, guide: mended.guide.replace('## Setup', '## Other') }
    await importInto(content, spaceId, { ...manual, pages: without }, { oid: 'without' })
    await eventually(async () => expect((await linksOf(spaceId)).stats).toEqual({ total: 9, broken: { total: 2 } }))
    const { guide: _guide, 'guide/deep': _deep, ...rest } = mended
    await importInto(content, spaceId, { ...manual, pages: rest }, { oid: 'removed' })
    await eventually(async () => expect((await linksOf(spaceId)).stats).toEqual({ total: 3, broken: { total: 2 } }))
  })

  it('are those of reusable contents, too, once however many pages include one', async () => {
    const spaceId = await aSpace(content)
    const include = '{% include ".gitbook/includes/note.md" %}\n'
    await importInto(content, spaceId, {
      pages: { guide: `# Guide\n\n${include}`, other: include },
      files: { 'a.txt': 'a' },
      reusable: { note: '## Note\n\n[guide](../../guide.md) ![a](../../assets/a.txt) [own](#note) [lost](lost.md)\n' },
    })
    await synced(spaceId, 6)
    expect((await linksOf(spaceId)).stats).toEqual({ total: 6, broken: { total: 1 } })
    const { guide: pageId = '' } = await pageIds(spaceId)
    const note = [{ kind: 'reusable-content', space: { id: spaceId }, reusableContent: { title: 'note' } }]
    expect((await reader().listSpacePageBacklinks({ params: { spaceId, pageId } })).items).toMatchObject(note)
    const { items: files } = await reader().listFiles({ params: { spaceId } })
    const params = { spaceId, fileId: files[0]?.id ?? '' }
    expect((await reader().listSpaceFileBacklinks({ params })).items).toMatchObject(note)
    const reusable = { note: '# Note\n' }
    await importInto(content, spaceId, { pages: { guide: `# Guide\n\n${include}` }, reusable }, { oid: 'without' })
    await synced(spaceId, 1)
    expect((await reader().listSpacePageBacklinks({ params: { spaceId, pageId } })).items).toEqual([])
  })

  it('are empty for a new space, and those of a copy are its own', async () => {
    const spaceId = await aManual()
    expect(await linksOf(await aSpace(content))).toMatchObject({ items: [], count: 0, stats: { total: 0 } })
    const { id } = await content.as('create').duplicateSpace({ params: { spaceId } })
    await synced(id, 9)
    expect((await linksOf(id)).items[0]?.locationReferences[0]).toMatchObject({ space: { id } })
  })

  it('take as many statements for a thousand as for ten', async () => {
    const many = (count: number) => ({ start: Array.from({ length: count }, (_, at) => `[l](p${at}.md)`).join('\n\n') })
    const [few, lots] = [await aManual(many(10)), await aManual(many(1_000))]
    await synced(few, 10)
    await synced(lots, 1_000)
    const statements = (spaceId: string) => statementsOf(content.service.db, () => linksOf(spaceId, { limit: 1_000 }))
    expect(await statements(lots)).toEqual(await statements(few))
    const calls = content.people.answered()
    for (const spaceId of [few, lots]) await linksOf(spaceId, { limit: 1_000 })
    // One call for each of the two requests.
    expect(content.people.answered() - calls).toBe(2)
  })
})

describe('backlinks', () => {
  it('of a page are the other pages that refer to it', async () => {
    const spaceId = await aManual()
    await synced(spaceId, 9)
    const { guide: pageId = '', start = '', 'guide/deep': deep = '' } = await pageIds(spaceId)
    const { items, count } = await reader().listSpacePageBacklinks({ params: { spaceId, pageId } })
    expect(count).toBe(2)
    expect(items.map(item => (item.kind === 'page' ? item.page.id : '')).toSorted()).toEqual([start, deep].toSorted())
    expect(items[0]).toMatchObject({ organization: { id: organization }, space: { id: spaceId } })
  })

  it('name their organization without the settings that the caller may not learn', async () => {
    const spaceId = await aManual()
    await synced(spaceId, 9)
    const { guide: pageId = '' } = await pageIds(spaceId)
    content.people.setMergeRules({ rule: 'require_specific_reviewers', users: ['rob'] })
    try {
      const { items } = await reader().listSpacePageBacklinks({ params: { spaceId, pageId } })
      expect(items[0]).toMatchObject({ organization: { mergeRules: { type: 'none' } } })
    } finally {
      content.people.setMergeRules()
    }
  })

  it('of a file are the pages that show it', async () => {
    const spaceId = await aManual()
    await synced(spaceId, 9)
    const { items: files } = await reader().listFiles({ params: { spaceId } })
    const { items } = await reader().listSpaceFileBacklinks({ params: { spaceId, fileId: files[0]?.id ?? '' } })
    expect(items).toMatchObject([{ kind: 'page', page: { path: 'start' } }])
  })
})
