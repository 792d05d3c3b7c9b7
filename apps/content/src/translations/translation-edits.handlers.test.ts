import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { organization } from '../test/content-setup.ts'
import { aTranslator, type TestTranslation, type Translator } from '../test/a-translator.ts'

let translator: Translator
beforeAll(async () => void (translator = await aTranslator()))
afterAll(() => translator.stop())
beforeEach(() => void (translator.engine.texts.length = 0))

const text = '# Title\n\nOne is here.\n\n* Two is here.\n* Three is here.\n'

async function pageId(spaceId: string, path: string): Promise<string> {
  return (await translator.client().getPageByPath({ params: { spaceId, pagePath: path }, query: {} })).id
}

async function edit({ target }: TestTranslation, path: string, change: { markdown?: string; title?: string }) {
  const page = await pageId(target, path)
  const { markdown, title } = change
  const document = markdown === undefined ? {} : { document: { markdown } }
  await translator.client().updateContent({
    params: { spaceId: target },
    body: { changes: [{ operation: 'update_page', page, ...document, ...(title !== undefined && { title }) }] },
  })
}

describe('a text that a person edited in the target', () => {
  it('A text that a person edited in the target stays and is listed, while all around it follows the source', async () => {
    const translation = await translator.translation({ pages: { a: text } })
    await translation.run()
    await edit(translation, 'a', { markdown: '# ⟦Title⟧\n\n⟦One is here⟧.\n\n* Zwei, von Hand.\n* ⟦Three is here⟧.\n' })
    await translation.change({
      pages: { a: text.replace('One', 'Uno').replace('Three', 'Tres').replace('Two', 'Dos') },
    })
    const run = await translation.run()
    expect((await translation.pages())['a']).toBe(
      '# ⟦Title⟧\n\n⟦Uno is here⟧.\n\n* Zwei, von Hand.\n* ⟦Tres is here⟧.\n',
    )
    expect(run).toMatchObject({
      kept: [{ page: await pageId(translation.source, 'a'), text: 'Zwei, von Hand.', message: expect.any(String) }],
      notes: 1,
    })
    await translation.change({ pages: { a: `${text.replace('Two', 'Dos')}\nMore.\n` } })
    await translation.run()
    expect((await translation.pages())['a']).toBe(
      '# ⟦Title⟧\n\n⟦One is here⟧.\n\n* Zwei, von Hand.\n* ⟦Three is here⟧.\n\n⟦More⟧.\n',
    )
  })

  it('An edited title stays in the target, and so do pages that people added', async () => {
    const { client } = translator
    const translation = await translator.translation({ pages: { a: 'Words.\n', b: 'Others.\n' } })
    await translation.run()
    await edit(translation, 'a', { title: 'Von Hand' })
    await client().updateContent({
      params: { spaceId: translation.target },
      body: { changes: [{ operation: 'insert_page', title: 'Own', document: { markdown: 'Own.\n' } }] },
    })
    await translation.change({ pages: { a: 'New words.\n', c: 'Third.\n' } })
    await translation.run()
    const { pages } = await client().listPages({ params: { spaceId: translation.target } })
    expect(pages.map(({ title }) => title).toSorted()).toEqual(['Own', 'Von Hand', '⟦Page c⟧'])
  })

  it('An edited text keeps its page when the source deletes it; a page that people deleted stays deleted', async () => {
    const { client } = translator
    const translation = await translator.translation({ pages: { a: 'First.\n', b: 'Second.\n', c: 'Third.\n' } })
    await translation.run()
    await edit(translation, 'a', { markdown: 'Von Hand.\n' })
    const page = await pageId(translation.target, 'b')
    await client().updateContent({
      params: { spaceId: translation.target },
      body: { changes: [{ operation: 'delete_page', page }] },
    })
    await translation.change({ pages: { b: 'Second, changed.\n' } })
    expect(await translation.run()).toMatchObject({ kept: [{ title: '⟦Page a⟧' }] })
    expect(await translation.pages()).toEqual({ a: 'Von Hand.\n' })
  })

  it('A text that a person edited stays in a locked target, which takes runs as it takes merges', async () => {
    const translation = await translator.translation({ pages: { a: 'First.\n' } })
    await translator.client().updateSpaceById({ params: { spaceId: translation.target }, body: { editMode: 'locked' } })
    expect(await translation.run()).toMatchObject({ state: 'success' })
    expect(await translation.pages()).toEqual({ a: '⟦First⟧.\n' })
  })
})

describe('the glossary', () => {
  const params = { organizationId: organization }

  it('The glossary decides what its terms become, and a changed term sends the texts that have it', async () => {
    const client = translator.client()
    const translation = await translator.translation({
      pages: {
        a: 'The **event loop** runs.\n\nAn `event loop` and eventloops.\n\nEvent loop & more.\n\nNothing of it.\n',
      },
    })
    const insert = { type: 'insert' as const, translations: { en: 'event loop', de: 'Ereignisschleife <1>' } }
    await client.updateGlossaryEntries({ params, body: { operations: [insert] } })
    await translation.run()
    expect((await translation.pages())['a']).toBe(
      'The **Ereignisschleife <1>** runs.\n\nAn `event loop` and eventloops.\n\nEreignisschleife <1> & more.\n\nNothing of it.\n'
        .replace('The **', '⟦The⟧ **')
        .replace(' runs.', ' ⟦runs⟧.')
        .replace('An `event loop` and eventloops.', '⟦An⟧ `event loop` ⟦and eventloops⟧.')
        .replace(' & more.', ' & ⟦more⟧.')
        .replace('Nothing of it.', '⟦Nothing of it⟧.'),
    )
    const { items } = await client.listGlossaryEntries({ params, query: {} })
    translator.engine.texts.length = 0
    const update = { type: 'update' as const, id: items[0]?.id ?? '', translations: { en: 'event loop', de: 'Loop' } }
    await client.updateGlossaryEntries({ params, body: { operations: [update] } })
    expect(await translation.run()).toMatchObject({ sent: { segments: 2 } })
    expect(translator.engine.texts.every(sent => sent.includes('<t1>Loop</t1>'))).toBe(true)
    expect((await translation.pages())['a']).toContain('⟦The⟧ **Loop** ⟦runs⟧.')
  })
})
