import type { EngineMode } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aTranslator, type Translator } from '../../test/a-translator.ts'

const content = { pages: { a: '# Title\n\nRead **this** `now`, R&amp;D.\n', b: 'Plain words.\n' } }
const sources = { a: content.pages.a, b: content.pages.b }
const hostile: [EngineMode, string, Record<string, string> | undefined][] = [
  ['html', 'failure', {}],
  ['too few', 'failure', {}],
  ['drops', 'success', { b: '⟦Plain words⟧.\n', a: '# ⟦Title⟧\n\nRead **this** `now`, R&amp;D.\n' }],
  ['markup', 'success', sources],
  ['huge', 'failure', {}],
  ['stalls', 'failure', {}],
  ['fails', 'failure', {}],
  ['refuses', 'failure', {}],
  ['busy once', 'success', undefined],
]
const paths = { libretranslate: '/translate', deepl: '/v2/translate', openai: '/chat/completions' } as const

describe.each(['libretranslate', 'deepl', 'openai'] as const)('an engine of the kind %s', kind => {
  let translator: Translator
  beforeAll(async () => {
    const bounds = { TRANSLATION_REQUEST_TIMEOUT: '200', TRANSLATION_MAX_CHARACTERS: '20000' }
    translator = await aTranslator(bounds, kind)
  })
  afterAll(() => translator.stop())

  it('A translation engine translates texts with their placeholders', async () => {
    const translation = await translator.translation(content, 'Be polite')
    await translation.run()
    expect(await translation.pages()).toEqual({
      a: '# ⟦Title⟧\n\n⟦Read⟧ **⟦this⟧** `now`, ⟦R⟧&amp;⟦D⟧.\n',
      b: '⟦Plain words⟧.\n',
    })
    const { requests } = translator.engine
    expect(new Set(requests.map(({ path }) => path))).toEqual(new Set([paths[kind]]))
    const [{ headers, body }] = requests as [(typeof requests)[number]]
    const { authorization } = headers
    const key = 'secret-of-the-engine'
    expect({ ...body, q: [], text: [], messages: [], authorization }).toEqual({
      q: [],
      text: [],
      messages: [],
      ...{
        libretranslate: { source: 'en', target: 'de', format: 'html', api_key: key },
        deepl: {
          source_lang: 'EN',
          target_lang: 'DE',
          tag_handling: 'xml',
          split_sentences: 'nonewlines',
          ignore_tags: [],
          authorization: `DeepL-Auth-Key ${key}`,
        },
        openai: { model: 'a-model', temperature: 0, stream: false, authorization: `Bearer ${key}` },
      }[kind],
    })
    if (kind === 'openai') expect(JSON.stringify(body)).toContain('Be polite')
  })

  // Behaviour that does not depend on the protocol is tested with one of them.
  it.each(kind === 'deepl' ? hostile : hostile.slice(0, 3))(
    'A translation engine that %s: the run is a %s, and pages are never broken',
    async (mode, state, pages) => {
      translator.engine.mode = mode
      const translation = await translator.translation(content)
      const run = await translation.run()
      expect(run.state).toBe(state)
      if (pages) expect(await translation.pages()).toEqual(pages)
      expect(run.failures.length > 0).toBe(mode === 'drops' || mode === 'markup')
      expect(run.error?.message ?? '').not.toContain('secret')
      translator.engine.mode = 'marks'
      // Nothing wrong was remembered.
      expect(await translation.run()).toMatchObject({ state: 'success', failures: [] })
      expect((await translation.pages())['b']).toBe('⟦Plain words⟧.\n')
    },
  )
})

it('A run of a translation sends no more than its bound, and the next one goes on', async () => {
  const translator = await aTranslator({ TRANSLATION_MAX_SEGMENTS: '4' })
  const translation = await translator.translation({
    pages: { a: 'One one.\n\nTwo two.\n\nThree three.\n\nFour four.\n' },
  })
  translator.engine.texts.length = 0
  const first = await translation.run()
  expect(first).toMatchObject({ state: 'success', failures: expect.arrayContaining([expect.anything()]) })
  expect(first.sent.segments).toBeLessThanOrEqual(4)
  expect(first.failures[0]?.message).toContain('TRANSLATION_MAX_SEGMENTS')
  await translator.stop()
})
