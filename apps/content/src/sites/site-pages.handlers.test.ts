import type { Actor } from '@recto/actor'
import { visitorActor } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { contentRpc } from '@recto/contracts-content-bus'
import { query, transact } from '@recto/database'
import type { MarkdownTasks } from '@recto/markdown'
import { builtWorkers, eventually } from '@recto/testing'
import { createWorkerPool } from '@recto/worker-pool'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pMap from 'p-map'
import { recordFormerPaths } from '../former-paths/record-former-paths.ts'
import { catchUp } from '../jobs/catch-up.ts'
import { requestConcurrency } from '../lists/request-concurrency.ts'
import { purge } from '../jobs/purge.ts'
import { anEditor, insert } from '../test/an-editor.ts'
import { aContent, aGrant, aSpace, type ContentSetup, importInto, organization } from '../test/content-setup.ts'
import { handledEvents } from '../test/handled-events.ts'
import { projectionTools } from '../projection/projection-events.handlers.ts'

let content: ContentSetup
let bus: ReturnType<typeof publishingClient>
const editor = anEditor(() => content)
beforeAll(async () => {
  content = await aContent()
  bus = publishingClient()
})
afterAll(() => content.stop())

const publishingClient = () => busClient(content.publishing, contentRpc, { service: 'content' })
const visitor = (spaces: string[], claims: Record<string, unknown> = {}): Actor =>
  visitorActor({ organization, site: 'site', version: 1, spaces, claims })

type Places = Parameters<typeof bus.findPages>[0]['body']['places']
const find = async (places: Places, actor = content.actorOf('read')) =>
  (await bus.findPages({ body: { actor, organization, places } })).pages
const leadsTo = (space: string, path: string, expected: { id: string; path: string } | null) =>
  eventually(async () => expect(await find([{ space, path }])).toEqual([expected]))
const rename = (spaceId: string, page: string, slug: string) =>
  editor.change(spaceId, { operation: 'update_page', page, slug })

describe('findPages', () => {
  it('findPages finds a page by its former paths, and the pages below it', async () => {
    const { spaceId, a, b, c } = await editor.aTree()
    await rename(spaceId, a, 'first')
    await rename(spaceId, a, 'second')
    for (const path of ['a', 'first', 'second']) await leadsTo(spaceId, path, { id: a, path: 'second' })
    await leadsTo(spaceId, 'a/b/c', { id: c, path: 'second/b/c' })
    await editor.change(spaceId, { operation: 'update_page', page: b, into: null })
    await leadsTo(spaceId, 'A/B', { id: b, path: 'b' })
    await leadsTo(spaceId, 'first/b/c', { id: c, path: 'b/c' })
    await leadsTo(spaceId, 'nothing', null)
  })

  it('findPages finds a page by its current path, and nothing for a page that is gone', async () => {
    const { spaceId, a, d } = await editor.aTree()
    await rename(spaceId, d, 'e')
    await leadsTo(spaceId, 'd', { id: d, path: 'e' })
    const { changes } = await editor.change(spaceId, insert('D'))
    const id = changes[0]?.page?.id ?? ''
    expect(await find([{ space: spaceId, path: 'd' }, { space: spaceId, page: d }])).toEqual([{ id, path: 'd' }, { id: d, path: 'e' }]) // prettier-ignore
    await rename(spaceId, a, 'z')
    await leadsTo(spaceId, 'a', { id: a, path: 'z' })
    await editor.change(spaceId, { operation: 'delete_page', page: a })
    expect(await find([{ space: spaceId, path: 'a' }, { space: spaceId, page: a }])).toEqual([null, null]) // prettier-ignore
  })

  it('findPages follows the redirects of a repository, also to former paths', async () => {
    const spaceId = await aSpace(content)
    const pages = { 'new/guide': '# Guide\n', new: '# New\n' }
    const redirects = { 'old/guide': 'new/guide.md', older: 'old/guide', circle: 'circle2', circle2: 'circle' }
    await importInto(content, spaceId, { pages: { new: pages.new, 'new/guide': pages['new/guide'] }, redirects })
    const id = await editor.idOf(spaceId, 'new/guide')
    for (const path of ['old/guide', 'OLDER', 'new/guide'])
      expect(await find([{ space: spaceId, path }])).toEqual([{ id, path: 'new/guide' }])
    expect(await find([{ space: spaceId, path: 'circle' }])).toEqual([null])
  })

  it('findPages shows visitors no page that conditions hide, and nobody a space that is not theirs', async () => {
    const spaceId = await editor.aSpace()
    const { changes } = await editor.change(
      spaceId,
      insert('Secret', { condition: 'visitor.claims.beta', ref: 's' }),
      insert('Below', { into: 's' }),
    )
    const [id = '', below = ''] = changes.map(made => made.page?.id ?? '')
    await rename(spaceId, id, 'hidden')
    await leadsTo(spaceId, 'secret/below', { id: below, path: 'hidden/below' })
    const places = [{ space: spaceId, path: 'secret' }, { space: spaceId, path: 'hidden/below' }, { space: spaceId, page: id }] // prettier-ignore
    expect(await find(places, visitor([spaceId]))).toEqual([null, null, null])
    expect((await find(places, visitor([spaceId], { beta: true }))).map(page => page?.id)).toEqual([id, below, id])
    expect(await find(places, visitor([]))).toEqual([null, null, null])
    expect(await find(places, content.actorOf(null))).toEqual([null, null, null])
    const elsewhere = { actor: visitor([spaceId]), organization: 'another', places }
    expect((await bus.findPages({ body: elsewhere })).pages).toEqual([null, null, null])
  })

  it('findPages replies for spaces from before paths were recorded, and forgets those of purged ones', async () => {
    const { spaceId, a, d } = await editor.aTree()
    await rename(spaceId, a, 'later')
    for (let at = 0; at < 5; at++) await rename(spaceId, d, `d${at}`)
    await leadsTo(spaceId, 'd3', { id: d, path: 'd4' })
    const { db } = content.service
    // An event that is handled later would record the paths in between.
    await handledEvents(db)
    const forget = async () => {
      await query(db, 'update main_projections set paths_revision = null where space_id = $1', [spaceId])
      await query(db, 'delete from former_paths where space_id = $1', [spaceId])
    }
    await forget()
    const inBatches: boolean[] = []
    do inBatches.push(await db.transaction(tx => recordFormerPaths(tx, spaceId, 3)))
    while (inBatches.at(-1))
    expect(inBatches.length).toBeGreaterThan(2)
    expect((await find(['a', 'd', 'd0', 'd3'].map(path => ({ space: spaceId, path })))).map(page => page?.id)).toEqual([a, d, d, d]) // prettier-ignore
    await forget()
    expect(await find([{ space: spaceId, path: 'a' }])).toEqual([null])
    const file = () => builtWorkers('content', 'markdown-worker')
    const markdown = createWorkerPool<MarkdownTasks>({ file, threads: 1, timeoutMs: 60_000, memoryMb: 256 })
    const transaction = (work: (tx: never) => Promise<unknown>) => db.transaction(tx => work(tx as never))
    const projection = projectionTools({ publicUrl: 'http://recto.test', markdown })
    await catchUp({ db, transaction: transaction as never, projection })
    await markdown.close()
    for (const path of ['d', 'd0', 'd3']) expect((await find([{ space: spaceId, path }]))[0]?.id).toBe(d)
    expect(await find([{ space: spaceId, path: 'a' }])).toEqual([{ id: a, path: 'later' }])

    await content.as('admin').deleteSpaceById({ params: { spaceId } })
    await query(db, `update spaces set deleted_at = now() - interval '8 days' where id = $1`, [spaceId])
    await purge({ transaction: work => transact(db, () => undefined, work), now: new Date() })
    await eventually(async () =>
      expect(await query(db, 'select path from former_paths where space_id = $1', [spaceId])).toEqual([]),
    )
  })
})

describe('searchSpaces', () => {
  const search = async (spaces: string[], text: string, actor = visitor(spaces), more: object = {}) =>
    bus.searchSpaces({ body: { actor, organization, spaces, query: text, list: 'list' }, query: { ...more } })
  const hitsOf = async (...args: Parameters<typeof search>) =>
    (await search(...args)).items.map(({ title, pages }) => [title, ...pages.map(({ path }) => path)])
  const createSpace = async (title: string, ...changes: Parameters<typeof editor.change>[1][]) => {
    const { id } = await content.as('create').createSpace({ params: { organizationId: organization }, body: { title } })
    await editor.change(id, ...changes, insert(`Last of ${title}`, { document: { markdown: `Ends ${title}end` } }))
    await eventually(async () => expect((await search([id], `${title}end`)).count).toBe(1))
    return id
  }
  const text = (markdown: string) => ({ document: { markdown } })

  it('searchSpaces ranks spaces against each other by their best page', async () => {
    const weak = await createSpace('Weak', insert('Notes', text('Once, a tapir was here.')))
    const best = await createSpace('Best', insert('Tapir', text('All about the tapir.')))
    const middle = await createSpace('Middle', insert('Notes', text('## Tapir\n\nA tapir.')))
    expect(await hitsOf([weak, middle, best], 'tapir')).toEqual([
      ['Best', 'tapir'],
      ['Middle', 'notes'],
      ['Weak', 'notes'],
    ])
    const all: string[] = []
    for (let page: string | undefined, at = 0; at < 3; at++) {
      const part = await search([weak, middle, best], 'tapir', undefined, { limit: 1, ...(page && { page }) })
      all.push(...part.items.map(({ title }) => title))
      expect(part.count).toBe(3)
      page = part.next?.page
    }
    expect(all).toEqual(['Best', 'Middle', 'Weak'])
    expect(await hitsOf([best, best], 'tapir')).toEqual([['Best', 'tapir']])
    const next = (await search([weak, best], 'tapir', undefined, { limit: 1 })).next?.page
    const body = { actor: visitor([best]), organization, spaces: [best], query: 'tapir', list: 'another' }
    await expect(bus.searchSpaces({ body, query: { page: next } })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [expect.objectContaining({ path: 'query.page' })],
    })
  })

  it('searchSpaces finds nothing for visitors that conditions hide, in pages and in texts', async () => {
    const space = await createSpace(
      'Conditions',
      insert('Kiwi secret', { condition: 'visitor.claims.beta', ref: 's', ...text('A kiwi.') }),
      insert('Below', { into: 's', ...text('A kiwi too.') }),
      insert('Kiwi mixed', text('All.\n\n{% if visitor.claims.beta %}\nA hidden emu.\n{% endif %}')),
      insert('Open', text('An open kiwi.')),
    )
    const searchAs = async (query: string, claims = {}) =>
      (await search([space], query, visitor([space], claims))).items.flatMap(({ pages }) => pages)
    expect((await searchAs('kiwi')).map(({ path }) => path)).toEqual(['kiwi-mixed', 'open'])
    expect((await searchAs('kiwi', { beta: true })).map(({ path }) => path).toSorted()).toEqual([
      'kiwi-mixed',
      'kiwi-secret',
      'kiwi-secret/below',
      'open',
    ])
    expect(JSON.stringify(await searchAs('kiwi'))).not.toMatch(/hidden|secret/)
    expect(await searchAs('emu')).toEqual([])
    expect((await search([space], 'emu', content.actorOf('read'))).count).toBe(1)

    // A condition is in force with the revision that sets it, before the search knows it.
    const open = await editor.idOf(space, 'open')
    await query(content.service.db, `update main_projections set has_conditions = false where space_id = $1`, [space])
    await content.service.db.transaction(async db => {
      await query(db, 'select from main_projections where space_id = $1 for update', [space])
      await editor.change(space, { operation: 'update_page', page: open, condition: 'visitor.claims.beta' })
      expect((await searchAs('kiwi')).map(({ path }) => path)).toEqual(['kiwi-mixed'])
    })
    await eventually(async () => expect((await searchAs('kiwi', { beta: true })).length).toBe(4))
  })

  it('searchSpaces finds for visitors the parts of a text that they see, by words, phrases and headings', async () => {
    const when = (condition: string, body: string) => `{% if ${condition} %}\n${body}\n{% endif %}`
    const parts = [
      'A common narwhal swims.',
      when(
        'visitor.claims.beta',
        `## Hidden orca\n\nThe orca sings.\n\n${when('visitor.claims.gold', 'A golden manatee.')}`,
      ),
      'Behind the narwhal.',
      when('page.vars.draft', 'A drafted beluga.'),
      `Value: <code class="expression">visitor.claims.gold ? "vaquita" : ""</code>`,
    ]
    const drafted = '---\nvars:\n  draft: true\n---\n\n# Drafted\n\n'
    const space = await createSpace(
      'Parts',
      insert('Sea', text(`# Sea\n\n${parts.join('\n\n')}`)),
      insert('Drafted', text(`${drafted}${when('page.vars.draft', 'A drafted beluga.')}`)),
    )
    const searchAs = async (query: string, claims = {}) =>
      (await search([space], query, visitor([space], claims))).items.flatMap(({ pages }) => pages)
    const beta = { beta: true }
    const gold = { beta: true, gold: true }
    for (const [query, claims, isFound] of [
      ['narwhal', {}, true],
      ['"common narwhal"', {}, true],
      ['narwhal behind', {}, true],
      ['orca', {}, false],
      ['orca', beta, true],
      ['"orca sings"', {}, false],
      ['"orca sings"', beta, true],
      ['"golden manatee"', beta, false],
      ['manatee', { gold: true }, false],
      ['manatee', gold, true],
      ['narwhal manatee', gold, true],
      ['beluga', {}, true],
      ['vaquita', gold, false],
    ] as const)
      expect([query, claims, (await searchAs(query, claims)).length > 0]).toEqual([query, claims, isFound])
    expect((await searchAs('beluga')).map(({ path }) => path)).toEqual(['drafted'])
    expect(JSON.stringify(await searchAs('narwhal'))).not.toMatch(/orca|manatee|vaquita/i)
    expect(JSON.stringify(await searchAs('narwhal'))).toMatch(/swims/)
    expect(JSON.stringify(await searchAs('orca', beta))).toMatch(/sings/)
  })

  it('searchSpaces finds pages with an address only, unindexed ones for authors, and in readable spaces', async () => {
    const space = await createSpace(
      'Addressed',
      { operation: 'insert_page', type: 'link', title: 'Dodo link', href: 'https://dodo.test' } as never,
      insert('Dodo', { noIndex: true }),
    )
    expect(await hitsOf([space], 'dodo')).toEqual([])
    expect(await hitsOf([space], 'dodo', content.actorOf('read'))).toEqual([])
    expect(await hitsOf([space], 'dodo', content.actorOf('edit'))).toEqual([['Addressed', 'dodo']])
    const closed = await aSpace(content)
    await importInto(content, closed, { pages: { dodo: 'A dodo.' } })
    await query(content.service.db, 'update spaces set default_level = null where id = $1', [closed])
    expect(await hitsOf([closed], 'dodo', content.actorOf('read'))).toEqual([])
    await aGrant(content, { space: closed, user: 'user-read', role: 'read' })
    await eventually(async () => expect((await search([closed], 'dodo', content.actorOf('read'))).count).toBe(1))
    expect(await hitsOf([closed], 'dodo', visitor([]))).toEqual([])
    expect(await search([], 'dodo')).toEqual({ items: [], count: 0 })
  })

  it('searches as many spaces as a site shows', async () => {
    const spaces = await pMap(Array.from({ length: 250 }), () => aSpace(content), requestConcurrency)
    expect((await search(spaces, 'quagga')).count).toBe(0)
  })
})
