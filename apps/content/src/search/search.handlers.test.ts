import { query, transact } from '@recto/database'
import type { MarkdownTasks } from '@recto/markdown'
import { builtWorkers, eventually, failure, replySchemas } from '@recto/testing'
import { createWorkerPool } from '@recto/worker-pool'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { projectionTools } from '../projection/projection-events.handlers.ts'
import { catchUp } from '../jobs/catch-up.ts'
import { purge } from '../jobs/purge.ts'
import { aContent, aGrant, aSpace, type ContentSetup, importInto, organization } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

type Content = Parameters<typeof importInto>[2]

const searchIn = async (spaceId: string, text: string, role: 'read' | 'edit' = 'read') =>
  content.as(role).searchSpaceContent({ params: { spaceId }, query: { query: text } })
const pathsOf = async (spaceId: string, text: string, role: 'read' | 'edit' = 'read') =>
  (await searchIn(spaceId, text, role)).items.map(({ path }) => path)
const finds = (spaceId: string, text: string, paths: string[]) =>
  eventually(async () => expect(await pathsOf(spaceId, text)).toEqual(paths))

/** A space with content that can be searched already. */
async function aSearchable(input: Content): Promise<string> {
  const spaceId = await aSpace(content)
  const marked = { ...input, pages: { ...input.pages, lastofall: 'lastofall' } }
  await importInto(content, spaceId, marked)
  await finds(spaceId, 'lastofall', ['lastofall'])
  return spaceId
}

describe('search in a space', () => {
  it('Search in a space ranks titles above headings above text, and shows matching sections with anchors', async () => {
    const spaceId = await aSearchable({
      pages: {
        text: `# Text\n\n${'Some words. '.repeat(40)}The zebra eats grass.\n\n${'More words. '.repeat(40)}\n`,
        heading: '# Heading\n\nNothing.\n\n## The zebra\n\nStripes.\n',
        title: '# Animals\n\nStripes.\n',
      },
      fields: { text: { title: 'Text' }, heading: { title: 'Heading' }, title: { title: 'Zebra' } },
    })
    const { items, count } = await searchIn(spaceId, 'zebra')
    expect([items.map(({ path }) => path), count]).toEqual([['title', 'heading', 'text'], 3])
    expect(items[1]).toEqual({
      id: expect.any(String),
      title: 'Heading',
      description: '',
      path: 'heading',
      score: expect.any(Number),
      rank: 2,
      resultType: 'section',
      ancestors: [],
      urls: { app: `http://recto.test/s/${spaceId}/heading` },
      sections: [
        {
          id: expect.any(String),
          title: 'The zebra',
          path: 'heading#the-zebra',
          score: expect.any(Number),
          resultType: 'section',
          body: 'Stripes.',
          urls: { app: `http://recto.test/s/${spaceId}/heading#the-zebra` },
        },
      ],
    })
    const scores = items.map(({ score }) => score ?? 0)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(items.map(({ resultType }) => resultType)).toEqual(['page', 'section', 'section'])
    const [section] = items[2]?.sections ?? []
    expect(section).toMatchObject({ title: 'Text', path: 'text' })
    expect(section?.body).toMatch(/^… .*The zebra eats grass\..* …$/)
    expect(section?.body.length).toBeLessThan(260)
  })

  it.each([
    ['several words in any order', 'second first', ['both']],
    ['any of the words when no page has all', 'first absent', ['both', 'one']],
    ['a phrase', '"the first second"', ['both']],
    ['no phrase in another order', '"second first"', []],
    ['an identifier in another style', 'chunkLimitSize', ['code']],
    ['a part of an identifier', 'limit', ['code']],
    ['a word before it is complete', 'iden', ['code']],
    ['a misspelt word', 'identifeir', ['code']],
    ['nothing for signs', '& | ! :* \' " \\ <->', []],
    ['operators as text', "first & !second:* | 'x", ['both', 'one']],
  ])('Search in a space finds %s', async (_title, text, paths) => {
    const spaceId = await sharedSpace()
    expect((await pathsOf(spaceId, text)).toSorted()).toEqual(paths.toSorted())
  })

  let shared: Promise<string> | undefined
  const sharedSpace = () =>
    (shared ??= aSearchable({
      pages: { both: 'the first second', one: 'only first', code: 'The identifier `chunk_limit_size`.' },
    }))

  it('Search in a space takes queries of 512 characters, and refuses longer and empty ones', async () => {
    const spaceId = await sharedSpace()
    expect(await pathsOf(spaceId, 'first '.repeat(85))).toContain('one')
    expect(await pathsOf(spaceId, '字'.repeat(512))).toEqual([])
    expect(await failure(searchIn(spaceId, 'x'.repeat(513)))).toBe('invalid_request')
    expect(await failure(searchIn(spaceId, ''))).toBe('invalid_request')
    expect(
      await failure(content.as(undefined).searchSpaceContent({ params: { spaceId }, query: { query: 'x' } })),
    ).toBe('not_found')
  })

  it('A misspelt word is found in a space that has more words than a search reads', async () => {
    const letters = 'abcdefghijklm'
    const word = (at: number) => [at, at / 13, at / 169, at / 2197].map(part => letters[Math.floor(part) % 13]).join('')
    const words = Array.from({ length: 2_100 }, (_, at) => word(at))
    const spaceId = await aSearchable({ pages: { words: words.join(' '), other: 'The identifier is here.' } })
    expect(await pathsOf(spaceId, 'identifeir')).toEqual(['other'])
  })

  /** The paths of all hits, a page of the list at a time; each page says how many there are. */
  async function walk(spaceId: string, { text, limit, count }: { text: string; limit: number; count: number }) {
    const paths: string[] = []
    const ranks: number[] = []
    for (let page: string | undefined; ;) {
      const query = { query: text, limit, ...(page !== undefined && { page }) }
      const one = await content.as('read').searchSpaceContent({ params: { spaceId }, query })
      expect(one.count).toBe(count)
      paths.push(...one.items.map(({ path }) => path))
      ranks.push(...one.items.map(({ rank }) => rank ?? 0))
      page = one.next?.page
      if (page !== undefined) continue
      expect(ranks).toEqual(ranks.map((_, at) => at + 1))
      return paths
    }
  }

  it('Search in a space lists hits in pages, with a stable order and a count of all', async () => {
    const pages = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`page-${at}`, 'giraffe']))
    const spaceId = await aSearchable({ pages })
    const paths = await walk(spaceId, { text: 'giraffe', limit: 3, count: 7 })
    expect(new Set(paths).size).toBe(7)
    expect(paths).toHaveLength(7)
  })

  it('Search in a space ranks titles and headings first among more hits than it ranks, and lists all of them', async () => {
    const text = Array.from({ length: 620 }, (_, at): [string, string] => [`page-${at}`, `The giraffe ${at}.`])
    const pages = { ...Object.fromEntries(text), heading: '# Neck\n\n## The giraffe\n\nLong.', title: 'Long.' }
    const spaceId = await aSearchable({ pages, fields: { title: { title: 'Giraffe' } } })
    const paths = await walk(spaceId, { text: 'giraffe', limit: 100, count: 622 })
    expect(paths.slice(0, 2)).toEqual(['title', 'heading'])
    expect(new Set(paths).size).toBe(622)
    expect(paths).toHaveLength(622)
  })

  it('Search in a space puts pages with the rare word first when none has all', async () => {
    const text = Array.from({ length: 620 }, (_, at): [string, string] => [`page-${at}`, '# A\n\n## The giraffe'])
    const spaceId = await aSearchable({ pages: { ...Object.fromEntries(text), rare: 'An okapi.' } })
    expect((await pathsOf(spaceId, 'giraffe okapi'))[0]).toBe('rare')
  })

  it('Search in a space finds pages that are not to be indexed for authors only, also below such a page', async () => {
    const spaceId = await aSearchable({
      pages: { open: 'walrus', closed: 'walrus', 'closed/below': 'walrus' },
      fields: { closed: { noIndex: true } },
    })
    expect(await pathsOf(spaceId, 'walrus')).toEqual(['open'])
    expect((await searchIn(spaceId, 'walrus')).count).toBe(1)
    expect((await pathsOf(spaceId, 'walrus', 'edit')).toSorted()).toEqual(['closed', 'closed/below', 'open'])
  })

  it('Search in a space follows edits, moves and removals', async () => {
    const pages = { parent: 'Parent.', 'parent/child': 'A narwhal.', other: 'Other.' }
    const spaceId = await aSearchable({ pages })
    await importInto(content, spaceId, { pages: { ...pages, other: 'An okapi.' } }, { oid: 'edited' })
    await finds(spaceId, 'okapi', ['other'])
    const moved = { moved: 'Parent.', 'moved/child': 'A narwhal.', other: 'An okapi.' }
    await importInto(content, spaceId, { pages: moved }, { oid: 'moved' })
    await finds(spaceId, 'narwhal', ['moved/child'])
    await importInto(content, spaceId, { pages: { parent: 'Parent.' } }, { oid: 'removed' })
    await finds(spaceId, 'narwhal', [])
    // A word that no page has any more is neither found nor suggested.
    const words = await query<{ word: string }>(
      content.service.db,
      `select word from search_words where space_id = $1 and (uses <= 0 or word in ('narwhal', 'okapi', 'child'))`,
      [spaceId],
    )
    expect(words).toEqual([])
  })

  it('Search in a space finds nothing once it is purged', async () => {
    const spaceId = await aSearchable({ pages: { page: 'Purged.' } })
    const { db } = content.service
    await content.as('admin').deleteSpaceById({ params: { spaceId } })
    await query(db, `update spaces set deleted_at = now() - interval '8 days' where id = $1`, [spaceId])
    await purge({ transaction: work => transact(db, () => undefined, work), now: new Date() })
    await eventually(async () => {
      const left = await query(
        db,
        `select 1 from search_pages where space_id = $1 union all select 1 from search_sections where space_id = $1
         union all select 1 from search_words where space_id = $1 union all select 1 from main_projections where space_id = $1
         union all select 1 from content_references where space_id = $1 union all select 1 from content_anchors where space_id = $1`,
        [spaceId],
      )
      expect(left).toEqual([])
    })
  })

  it('Search in a space catches up with spaces that were never projected', async () => {
    const spaceId = await aSearchable({ pages: { page: 'A quokka.' } })
    for (const table of ['main_projections', 'search_pages', 'search_words'])
      await query(content.service.db, `delete from ${table} where space_id = $1`, [spaceId])
    expect(await pathsOf(spaceId, 'quokka')).toEqual([])
    const { db } = content.service
    const file = () => builtWorkers('content', 'markdown-worker')
    const markdown = createWorkerPool<MarkdownTasks>({ file, threads: 1, timeoutMs: 60_000, memoryMb: 256 })
    const transaction = (work: (tx: never) => Promise<unknown>) => db.transaction(tx => work(tx as never))
    const tools = {
      db,
      transaction: transaction as never,
      projection: projectionTools({ publicUrl: 'http://recto.test', markdown }),
    }
    expect(await catchUp(tools)).toBeGreaterThan(0)
    expect(await pathsOf(spaceId, 'quokka')).toEqual(['page'])
    expect(await catchUp(tools)).toBe(0)
    await markdown.close()
  })
})

describe('search in an organization', () => {
  const searchAll = (text: string, who: { role: 'read' | null; user?: string } = { role: 'read' }) =>
    content
      .as(who.role, who.user === undefined ? {} : { user: who.user })
      .searchOrganizationContent({ params: { organizationId: organization }, query: { query: text } })

  it('Search in an organization lists the spaces that the caller can read, with their pages, and counts no others', async () => {
    const open = await aSearchable({ pages: { one: 'A pangolin.', two: 'Pangolin again.' } })
    const closed = await aSearchable({ pages: { secret: '# Pangolin\n\nA pangolin.' } })
    await query(content.service.db, 'update spaces set default_level = null where id = $1', [closed])
    const hits = await searchAll('pangolin')
    expect(hits).toMatchObject({ count: 1, items: [{ type: 'space', id: open, title: expect.any(String) }] })
    expect(hits.items[0]?.score).toBe(hits.items[0]?.pages[0]?.score)
    expect(hits.items[0]?.pages.map(({ rank }) => rank)).toEqual([1, 2])
    expect(replySchemas().validateReply('searchOrganizationContent', 200, hits)).toEqual([])
    expect(hits.items[0]?.pages.map(({ path }) => path).toSorted()).toEqual(['one', 'two'])
    expect(hits.items[0]?.pages[0]?.sections[0]?.body).toContain('angolin')
    expect(await searchAll('pangolin', { role: null, user: 'guest' })).toEqual({ items: [], count: 0 })
    await aGrant(content, { space: closed, user: 'guest', role: 'read' })
    expect(await searchAll('pangolin', { role: null, user: 'guest' })).toMatchObject({
      count: 1,
      items: [{ id: closed }],
    })
    // A misspelt word does not tell what others wrote.
    expect(await searchAll('pangolln')).toMatchObject({ count: 1, items: [{ id: open }] })
  })

  it('Search in an organization leaves out deleted spaces, and is not found for outsiders', async () => {
    const spaceId = await aSearchable({ pages: { one: 'An axolotl.' } })
    expect((await searchAll('axolotl')).count).toBe(1)
    await content.as('admin').deleteSpaceById({ params: { spaceId } })
    expect((await searchAll('axolotl')).count).toBe(0)
    const outside = content.as(undefined)
    const attempt = outside.searchOrganizationContent({
      params: { organizationId: organization },
      query: { query: 'axolotl' },
    })
    expect(await failure(attempt)).toBe('not_found')
  })
})
