import { query } from '@recto/database'
import { failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, aGrant, aSpace, type ContentSetup, organization } from '../test/content-setup.ts'
import { aTranslation, aTranslator, type Translator } from '../test/a-translator.ts'

let translator: Translator
let content: ContentSetup
beforeAll(async () => {
  translator = await aTranslator()
  content = translator.content
})
afterAll(() => translator.stop())

const params = { organizationId: organization }
const bodyOf = (space: string) => ({ source: { space, language: 'en' as const }, language: 'de' as const })
const create = (role: Parameters<ContentSetup['as']>[0], space: string) =>
  content.as(role).createTranslation({ params, body: bodyOf(space) })

describe('a translation', () => {
  it('A translation is created with an empty space beside its source, as closed as its source', async () => {
    const client = content.as('create')
    const { id: space } = await client.createSpace({ params, body: { title: 'Manual', emoji: '1f600' } })
    const created = await create('create', space)
    expect(created).toMatchObject({
      object: 'translation',
      status: 'pending',
      source: { space, language: 'en' },
      language: 'de',
      result: { language: 'de' },
      instructions: { object: 'document', nodes: [] },
      stats: { runs: 0, totalWords: 0, totalPages: 0, latestPages: 0 },
      permissions: { view: true, edit: true },
    })
    const target = await client.getSpaceById({ params: { spaceId: created.result?.space ?? '' }, query: {} })
    expect(target).toMatchObject({
      title: 'Manual (de)',
      language: 'de',
      emoji: '1f600',
      revision: created.result?.revision,
    })
    const closed = await aSpace(content, { defaultLevel: null })
    const admin = content.as('admin')
    const { result } = await admin.createTranslation({ params, body: bodyOf(closed) })
    expect(await admin.getSpaceById({ params: { spaceId: result?.space ?? '' }, query: {} })).toMatchObject({
      defaultLevel: null,
    })
    expect(await client.getTranslation({ params: { ...params, translationId: created.id } })).toEqual(created)
  })

  it('A translation is refused for an unsupported language, and for spaces that the caller may not copy', async () => {
    const space = await aSpace(content)
    const client = content.as('create')
    const attempt = (body: object) =>
      failure(client.createTranslation({ params, body: { ...bodyOf(space), ...body } as never }))
    expect(await attempt({ language: 'en' })).toBe('invalid_request')
    expect(await attempt({ language: 'tlh' })).toBe('invalid_request')
    expect(await attempt({ source: { space: 'none', language: 'en' } })).toBe('not_found')
    expect(await attempt({ instructions: { markdown: 'x' } })).toBe('invalid_request')
    expect(await failure(create('review', space))).toBe('forbidden')
    expect(await failure(create(undefined, space))).toBe('not_found')
    expect(await failure(create('create', await aSpace(content, { defaultLevel: null })))).toBe('not_found')
    const elsewhere = content.asActor({
      ...content.actorOf('create'),
      memberships: [
        { organization, role: 'create', teams: [] },
        { organization: 'another', role: 'admin', teams: [] },
      ],
    })
    const inOther = { params: { organizationId: 'another' }, body: bodyOf(space) }
    expect(await failure(elsewhere.createTranslation(inOther))).toBe('not_found')
  })

  it('A translation is listed and read by those who may read both its spaces, and changed by those who may create', async () => {
    const source = await aSpace(content)
    const translation = await aTranslation(translator, { source })
    const { params: translationParams, target } = translation
    const ids = async (role: 'read' | null | undefined) =>
      (await content.as(role).listTranslations({ params, query: {} })).items.map(({ id }) => id)
    expect(await ids('read')).toContain(translation.id)
    expect(await ids(null)).toEqual([])
    expect(await failure(ids(undefined))).toBe('not_found')
    await aGrant(content, { space: target, user: 'a-guest', role: 'create' })
    const guest = content.as(null, { user: 'a-guest' })
    expect(await failure(guest.getTranslation({ params: translationParams }))).toBe('not_found')
    await aGrant(content, { space: source, user: 'a-guest', role: 'read' })
    expect(await guest.getTranslation({ params: translationParams })).toMatchObject({
      permissions: { view: true, edit: true },
    })
    const reader = content.as('review')
    expect(await reader.getTranslation({ params: translationParams })).toMatchObject({
      permissions: { view: true, edit: false },
    })
    const body = { instructions: { object: 'document' as const, data: { schemaVersion: 8 }, nodes: [] } }
    for (const call of [
      reader.updateTranslation({ params: translationParams, body }),
      reader.runTranslation({ params: translationParams }),
      reader.deleteTranslation({ params: translationParams }),
    ])
      expect(await failure(call)).toBe('forbidden')
    expect(await guest.updateTranslation({ params: translationParams, body })).toMatchObject({ id: translation.id })
  })

  it('A translation leaves its target when it is deleted; deleting it again succeeds', async () => {
    const translation = await translator.translation({ pages: { a: 'Words.\n' } })
    await translation.run()
    const client = translator.client()
    await client.deleteTranslation({ params: translation.params })
    await client.deleteTranslation({ params: translation.params })
    expect(await failure(client.getTranslation({ params: translation.params }))).toBe('not_found')
    expect(await failure(client.runTranslation({ params: translation.params }))).toBe('not_found')
    expect(await translation.pages()).toEqual({ a: '⟦Words⟧.\n' })
    const rows = 'select from translation_memory where translation_id = $1'
    expect(await query(content.service.db, rows, [translation.id])).toEqual([])
  })

  it.each(['source', 'target'] as const)('A translation does not run while its %s is deleted', async name => {
    const translation = await translator.translation({ pages: { a: 'Words.\n' } })
    const client = translator.client()
    await client.deleteSpaceById({ params: { spaceId: translation[name] } })
    const refusal = client.runTranslation({ params: translation.params })
    await expect(refusal).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(name) })
    await client.restoreSpace({ params: { spaceId: translation[name] } })
    expect(await translation.run()).toMatchObject({ state: 'success' })
  })
})

it('A run without an engine is refused with the name of the setting', async () => {
  const alone = await aContent()
  const client = () => alone.as('create')
  const { params: translationParams } = await aTranslation({ content: alone, client }, { source: await aSpace(alone) })
  const run = client().runTranslation({ params: translationParams })
  await expect(run).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('TRANSLATION_ENGINE') })
  await alone.stop()
})

describe('the glossary', () => {
  const change = (role: Parameters<ContentSetup['as']>[0], operations: unknown[]) =>
    content.as(role).updateGlossaryEntries({ params, body: { operations: operations as never } })

  it('The glossary is listed by the terms of a language, with the entries that have none last', async () => {
    const terms = [{ sv: 'bok' }, { en: 'no Swedish' }, { sv: 'Apa' }, { sv: 'cykel' }]
    await change(
      'create',
      terms.map(translations => ({ type: 'insert', translations })),
    )
    const listed: (string | undefined)[] = []
    const ids: string[] = []
    for (let page: string | undefined, isFirst = true; isFirst || page !== undefined; isFirst = false) {
      const query = { orderBy: 'sv' as const, limit: 2, ...(page !== undefined && { page }) }
      const part = await content.as('read').listGlossaryEntries({ params, query })
      listed.push(...part.items.map(({ translations }) => translations['sv']))
      ids.push(...part.items.map(({ id }) => id))
      page = part.next?.page
    }
    expect(listed).toEqual(['Apa', 'bok', 'cykel', undefined])
    await change(
      'create',
      ids.map(id => ({ type: 'delete', id })),
    )
  })

  it('The glossary is changed all at once, and read by members', async () => {
    const insert = (en: string) => ({ type: 'insert', translations: { en, de: `${en} auf Deutsch` } })
    await change('create', [insert('One'), insert('Two')])
    const reader = content.as('read')
    const { items } = await reader.listGlossaryEntries({ params, query: {} })
    expect(items.map(({ translations }) => translations['en']).toSorted()).toEqual(['One', 'Two'])
    const [{ id }] = items as [(typeof items)[number]]
    const entryParams = { ...params, glossaryEntryId: id }
    expect(await reader.getGlossaryEntry({ params: entryParams })).toEqual(items[0])
    expect(
      await failure(change('create', [insert('Three'), { type: 'update', id: 'none', translations: { en: 'x' } }])),
    ).toBe('not_found')
    expect((await reader.listGlossaryEntries({ params, query: {} })).count).toBe(2)
    await change('create', [{ type: 'update', id, translations: { fr: 'Trois' } }])
    expect((await reader.getGlossaryEntry({ params: entryParams })).translations).toEqual({ fr: 'Trois' })
    await change('create', [
      { type: 'delete', id },
      { type: 'delete', id: 'none' },
    ])
    expect(await failure(reader.getGlossaryEntry({ params: entryParams }))).toBe('not_found')
  })

  it.each([
    [[{ type: 'insert', translations: {} }]],
    [[{ type: 'insert', translations: { tlh: 'x' } }]],
    [[{ type: 'insert', translations: { en: '' } }]],
    [[{ type: 'insert', translations: { en: 'a\nb' } }]],
    [[{ type: 'insert', translations: { en: 'x'.repeat(256) } }]],
    [[{ type: 'rename', id: 'x' }]],
  ])('The glossary refuses %j', async operations =>
    expect(await failure(change('create', operations))).toBe('invalid_request'),
  )

  it('The glossary is changed by those who may create, and unknown to guests and outsiders', async () => {
    expect(await failure(change('review', []))).toBe('forbidden')
    for (const role of [null, undefined] as const) {
      expect(await failure(change(role, []))).toBe('not_found')
      expect(await failure(content.as(role).listGlossaryEntries({ params, query: {} }))).toBe('not_found')
    }
  })
})
