import { eventually, sharedBundle } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, aSpace, type ContentSetup, importInto } from '../test/content-setup.ts'
import {
  casesOf,
  fixtureCorpus,
  manualCorpus,
  meanReciprocalRank,
  type Corpus,
  type RelevanceCase,
} from './test/corpora.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const wanted = 0.85
const shown = 20

/** The rank of the first expected page of each query. */
async function ranks(corpus: Corpus, cases: RelevanceCase[]): Promise<Map<string, number>> {
  const spaceId = await aSpace(content)
  await importInto(content, spaceId, corpus)
  const search = (query: string) =>
    content.as('read').searchSpaceContent({ params: { spaceId }, query: { query, limit: shown } })
  const [last = ''] = Object.values(corpus.fields)
    .map(({ title }) => title)
    .slice(-1)
  await eventually(async () => expect((await search(last)).count).toBeGreaterThan(0))
  const found = new Map<string, number>()
  for (const { query, expect } of cases) {
    const { items } = await search(query)
    found.set(query, items.findIndex(({ path }) => expect.includes(path)) + 1)
  }
  return found
}

function report(found: Map<string, number>): string {
  const score = meanReciprocalRank([...found.values()])
  const faults = [...found].filter(([, rank]) => rank !== 1).map(([query, rank]) => `${query}: ${rank || 'not found'}`)
  return [`MRR ${score.toFixed(3)}`, ...faults].join('\n')
}

describe('relevance', () => {
  it(`has a mean reciprocal rank of ${wanted} in five languages`, async () => {
    const found = await ranks(fixtureCorpus(), casesOf('fixture'))
    if (meanReciprocalRank([...found.values()]) < wanted) throw new Error(report(found))
  })

  const bundle = sharedBundle('fluentd-docs.bundle')
  const manual = bundle === undefined ? it.skip : it
  manual(
    `has a mean reciprocal rank of ${wanted} in a manual of 200 pages${bundle === undefined ? ' (skipped: its bundle is not at hand)' : ''}`,
    async () => {
      const found = await ranks(await manualCorpus(bundle ?? ''), casesOf('fluentd'))
      if (meanReciprocalRank([...found.values()]) < wanted) throw new Error(report(found))
    },
  )
})
