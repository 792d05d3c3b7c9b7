import { expect, it } from '@jest/globals'
import { createSuggestions, type SuggestionRequest } from './suggestions.ts'

const lookup = { organization: 'o', site: 's', siteSpace: 'ss', apiToken: 't' }
const site = (apiToken = 't') =>
  ({ lookup: { ...lookup, apiToken }, siteSpace: { id: 'ss' } }) as SuggestionRequest['site']

/** An API that recommends questions, or fails after some; it counts how often it was asked. */
function anApi(questions: readonly string[], fails = false) {
  const counts = { requests: 0 }
  async function* events() {
    counts.requests += 1
    for (const question of questions) yield await Promise.resolve({ question })
    if (fails) throw new Error('no engine')
  }
  return { counts, api: { events } as unknown as SuggestionRequest['api'] }
}
const mayRead = () => true

it('Questions are read once for all who see the same', async () => {
  const { api, counts } = anApi(['Why?', 'How?'])
  const suggestions = createSuggestions()
  const replies = [
    await suggestions({ site: site(), api, mayRead }),
    await suggestions({ site: site(), api, mayRead: () => false }),
    await suggestions({ site: site('another'), api, mayRead }),
  ]
  expect([replies, counts.requests]).toEqual([
    [
      ['Why?', 'How?'],
      ['Why?', 'How?'],
      ['Why?', 'How?'],
    ],
    2,
  ])
})

it('A failure shows no questions, and is not tried again by the next page', async () => {
  const { api, counts } = anApi(['Why?'], true)
  const suggestions = createSuggestions()
  const replies = [await suggestions({ site: site(), api, mayRead }), await suggestions({ site: site(), api, mayRead })]
  expect([replies, counts.requests]).toEqual([[[], []], 1])
})

it('Who may not cost a question shows none that are not there, and the next one does', async () => {
  const { api, counts } = anApi(['Why?'])
  const suggestions = createSuggestions()
  expect([await suggestions({ site: site(), api, mayRead: () => false }), counts.requests]).toEqual([[], 0])
  expect(await suggestions({ site: site(), api, mayRead })).toEqual(['Why?'])
})

it('A page does not wait for questions that take long', async () => {
  const events = () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) })
  const api = { events } as unknown as SuggestionRequest['api']
  expect(await createSuggestions()({ site: site(), api, mayRead })).toEqual([])
})
