import { eventually, failure, unmarked } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aTranslator, finishedRun, type TestTranslation, type Translator } from '../test/a-translator.ts'

let translator: Translator
beforeAll(async () => void (translator = await aTranslator()))
afterAll(() => translator.stop())
beforeEach(() => {
  Object.assign(translator.engine, { mode: 'marks', hold: undefined })
  forget()
})

const forget = () => {
  translator.engine.texts.length = 0
  translator.engine.requests.length = 0
}

const page = `---
description: How to install it
---

# Install **everything**

Run \`npm i\` and read the [manual](https://a.example/manual "Manual"), please.
This is <kbd>one</kbd> paragraph with R&amp;D and snake\\_case.

{% tabs %}
{% tab title="On Linux" %}
* A list item
* 3000
{% endtab %}
{% endtabs %}

\`\`\`js
const text = 'Never sent'
\`\`\`

| Option | Default |
| ------ | ------- |
| \`port\` | [a.md](a.md) |

<figure><img src="a.png" alt="The dashboard"><figcaption><p>A caption</p></figcaption></figure>

$$
x = y
$$
`
const manual = {
  pages: { manual: page, 'manual/below': '# Below\n\nSmall.\n\nWords.\n' },
  fields: { manual: { description: 'How to install it' } },
  files: { 'a.png': 'picture' },
  reusable: { note: 'A note for all.\n' },
  variables: { version: '1' },
}

const revisionOf = async ({ target }: TestTranslation) =>
  (await translator.client().getSpaceById({ params: { spaceId: target }, query: {} })).revision
const plain = (pages: Record<string, string>) =>
  Object.fromEntries(Object.entries(pages).map(([path, text]) => [path, unmarked(text)]))

describe('a run', () => {
  it('A run of a translation writes every page in the other language, with its structure', async () => {
    const { engine } = translator
    const translation = await translator.translation(manual)
    const run = await translation.run()
    expect(run).toMatchObject({ state: 'success', failures: [], kept: [], progress: { done: 3, total: 3 } })
    const pages = await translation.pages()
    expect(pages['manual']).toContain('[⟦manual⟧](https://a.example/manual "Manual")')
    expect(pages['manual']).toContain('description: ⟦How to install it⟧')
    expect(pages['manual']).toContain('{% tab title="⟦On Linux⟧" %}')
    expect(pages['manual']).toContain('alt="⟦The dashboard⟧"')
    expect(plain(pages)).toEqual(await translation.pages(translation.source))
    for (const hidden of ['Never sent', 'npm i', 'a.example', 'a.md', 'x = y', '3000', 'snake_', 'one'])
      expect(engine.texts.join('\n')).not.toContain(hidden)
    expect(engine.texts).toContain('A note for all.')
    const spaceId = translation.target
    const { items } = await translator.client().listFiles({ params: { spaceId }, query: {} })
    expect(items.map(({ name }) => name)).toEqual(['a.png'])
    expect(await translator.client().getTranslation({ params: translation.params })).toMatchObject({
      status: 'completed',
      result: { space: spaceId, revision: run.revision },
      stats: { runs: 1, latestPages: 2, totalPages: 2, latestWords: expect.any(Number) },
    })
  })

  it('A run without a change sends nothing, and makes no revision', async () => {
    const translation = await translator.translation(manual)
    await translation.run()
    const before = await revisionOf(translation)
    forget()
    expect(await translation.run()).toMatchObject({ state: 'success', sent: { segments: 0 }, progress: { total: 0 } })
    expect([await revisionOf(translation), translator.engine.requests]).toEqual([before, []])
  })

  it('A run sends what changed, with one paragraph as one text', async () => {
    const translation = await translator.translation(manual)
    await translation.run()
    forget()
    await translation.change({
      ...manual,
      pages: { ...manual.pages, 'manual/below': '# Below\n\nSmaller.\n\nWords.\n' },
    })
    expect(await translation.run()).toMatchObject({ sent: { segments: 1 } })
    expect(translator.engine.texts).toEqual(['Smaller.'])
    expect((await translation.pages())['manual/below']).toBe('# ⟦Below⟧\n\n⟦Smaller⟧.\n\n⟦Words⟧.\n')
  })

  it('A run brings added, moved and deleted pages over, and a page keeps its id', async () => {
    const translation = await translator.translation({ pages: { a: '# A one\n', b: '# B one\n', c: '# C one\n' } })
    await translation.run()
    const client = translator.client()
    const ids = async (spaceId: string) => {
      const { pages } = await client.listPages({ params: { spaceId } })
      return pages.map(({ id }) => id)
    }
    expect(await ids(translation.target)).toEqual(await ids(translation.source))
    await translation.change({ pages: { a: '# A one\n', 'a/b': '# B one\n', d: '# D one\n' } })
    await translation.run()
    expect(await translation.pages()).toEqual({ a: '# ⟦A one⟧\n', 'a/b': '# ⟦B one⟧\n', d: '# ⟦D one⟧\n' })
    expect(await ids(translation.target)).toEqual(await ids(translation.source))
  })

  it('A run keeps the anchors of headings, so that links to them work', async () => {
    translator.engine.prefix = 'Wort'
    const translation = await translator.translation({
      pages: { a: '# Title\n\n## First part\n\n[There](#first-part)\n' },
    })
    await translation.run()
    translator.engine.prefix = ''
    expect((await translation.pages())['a']).toBe(
      '# Wort Title\n\n## Wort First part <a href="#first-part" id="first-part"></a>\n\n[Wort There](#first-part)\n'.replace(
        '[Wort There](#first-part)',
        'Wort [There](#first-part)',
      ),
    )
  })
})

describe('the life of a run', () => {
  const many = { pages: Object.fromEntries(Array.from({ length: 45 }, (_, at) => [`p${at}`, `# Page ${at} of it\n`])) }
  const holding = () => {
    let release = () => undefined as void
    translator.engine.hold = new Promise<void>(resolve => (release = resolve))
    return () => {
      translator.engine.hold = undefined
      release()
    }
  }
  const sent = (count = 1) =>
    eventually(() => {
      if (translator.engine.requests.length < count) throw new Error('nothing was sent')
    })

  it('A run is shown while it waits for the engine, and a second one does not start', async () => {
    const client = translator.client()
    const translation = await translator.translation(many)
    const release = holding()
    await client.runTranslation({ params: translation.params })
    await sent()
    await client.runTranslation({ params: translation.params })
    expect(await client.getTranslation({ params: translation.params })).toMatchObject({ status: 'running' })
    const { items } = await client.listTranslationRuns({ params: translation.params, query: {} })
    expect(items).toMatchObject([{ state: 'running' }])
    release()
    // It was asked for again after it had read the source: another run follows, and finds nothing to do.
    await eventually(async () => {
      const { items: runs } = await client.listTranslationRuns({ params: translation.params, query: {} })
      expect(runs.map(({ state, sent: { segments } }) => [state, segments > 0])).toEqual([
        ['success', false],
        ['success', true],
      ])
    })
  })

  it('A cancelled run writes nothing, and what came back is not sent again', async () => {
    const client = translator.client()
    const translation = await translator.translation(many)
    const release = holding()
    await client.runTranslation({ params: translation.params })
    await sent()
    const { items } = await client.listTranslationRuns({ params: translation.params, query: {} })
    const params = { ...translation.params, runId: items[0]?.id ?? '' }
    await client.cancelTranslationRun({ params })
    release()
    expect(await client.getTranslationRun({ params })).toMatchObject({ state: 'cancelled' })
    expect(await client.getTranslation({ params: translation.params })).toMatchObject({ status: 'pending' })
    expect(await translation.run()).toMatchObject({ state: 'success' })
    expect(new Set(translator.engine.texts).size).toBe(translator.engine.texts.length)
    expect(
      await failure(
        client.cancelTranslationRun({
          params: { ...params, runId: (await finishedRun(client, translation.params)).id },
        }),
      ),
    ).toBe('conflict')
    expect(Object.keys(await translation.pages())).toHaveLength(45)
  })

  it('A run is done once by two processes', async () => {
    const client = translator.client()
    const second = await translator.content.startAgain()
    const translation = await translator.translation(many)
    await Promise.all([1, 2, 3, 4].map(() => client.runTranslation({ params: translation.params })))
    await finishedRun(client, translation.params)
    const { items } = await client.listTranslationRuns({ params: translation.params, query: {} })
    expect(items.filter(({ sent: { segments } }) => segments > 0)).toHaveLength(1)
    expect(new Set(translator.engine.texts).size).toBe(translator.engine.texts.length)
    await second.stop()
  })

  it('A run goes on in another process where one was stopped, and sends no known text again', async () => {
    const client = translator.client()
    const translation = await translator.translation(many)
    await client.runTranslation({ params: translation.params })
    await sent(2)
    const stopped = translator.content.service.stop()
    const before = translator.engine.requests.length
    await stopped
    const again = await translator.content.startAgain()
    expect(await finishedRun(client, translation.params)).toMatchObject({ state: 'success' })
    const texts = translator.engine.requests.map(({ body }) => body['text'] as string[])
    const doneTexts = new Set(texts.slice(0, before - 1).flat())
    expect(doneTexts.size).toBeGreaterThan(0)
    expect(
      texts
        .slice(before)
        .flat()
        .filter(text => doneTexts.has(text)),
    ).toEqual([])
    expect(Object.keys(await translation.pages())).toHaveLength(45)
    await again.stop()
  })
})

describe('where the settings say so, a run', () => {
  let following: Translator
  beforeAll(async () => void (following = await aTranslator({ TRANSLATION_FOLLOW_AFTER: '50' })))
  afterAll(() => following.stop())

  it('A run starts by itself when a source has been quiet for a while, and not before the first one', async () => {
    const translation = await following.translation({ pages: { a: 'One one.\n' } })
    const runs = async () => {
      const { items } = await following.client().listTranslationRuns({ params: translation.params, query: {} })
      return items.map(({ state, sent: { segments } }) => [state, segments > 0])
    }
    await translation.change({ pages: { a: 'Two two.\n' } })
    await translation.run()
    await translation.change({ pages: { a: 'Three three.\n' } })
    await eventually(async () => expect(await translation.pages()).toEqual({ a: '⟦Three three⟧.\n' }))
    expect((await runs()).filter(([, isSent]) => isSent)).toHaveLength(2)
    following.engine.mode = 'refuses'
    await translation.change({ pages: { a: 'Four four.\n' } })
    await eventually(async () => expect((await runs())[0]).toEqual(['failure', true]))
  })
})
