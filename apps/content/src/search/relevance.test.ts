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

const minScore = 0.85
const limit = 20

/** The rank of the first expected page of each query. */
async function ranks(corpus: Corpus, cases: RelevanceCase[]): Promise<Map<string, number>> {
  const spaceId = await aSpace(content)
  await importInto(content, spaceId, corpus)
  const search = (query: string) =>
    content.as('read').searchSpaceContent({ params: { spaceId }, query: { query, limit } })
  const [last = ''] = Object.values(corpus.fields)
    .map(({ title }) => title)
    .slice(-1)
  await eventually(async () => expect((await search(last)).count).toBeGreaterThan(0))
  const rankByQuery = new Map<string, number>()
  for (const { query, expect } of cases) {
    const { items } = await search(query)
    rankByQuery.set(query, items.findIndex(({ path }) => expect.includes(path)) + 1)
  }
  return rankByQuery
}

function report(rankByQuery: Map<string, number>): string {
  const score = meanReciprocalRank([...rankByQuery.values()])
  const faults = [...rankByQuery]
    .filter(([, rank]) => rank !== 1)
    .map(([query, rank]) => `${query}: ${rank || 'not found'}`)
  return [`MRR ${score.toFixed(3)}`, ...faults].join('\n')
}

describe('relevance', () => {
  it(`Search has a mean reciprocal rank of ${minScore} in five languages`, async () => {
    const rankByQuery = await ranks(fixtureCorpus(), casesOf('fixture'))
    if (meanReciprocalRank([...rankByQuery.values()]) < minScore) throw new Error(report(rankByQuery))
  })

  const bundle = sharedBundle('fluentd-docs.bundle')
  const manual = bundle === undefined ? it.skip : it
  manual(
    `Search has a mean reciprocal rank of ${minScore} in a manual of 200 pages${bundle === undefined ? ' (skipped: its bundle is not at hand)' : ''}`,
    async () => {
      const rankByQuery = await ranks(await manualCorpus(bundle ?? ''), casesOf('fluentd'))
      if (meanReciprocalRank([...rankByQuery.values()]) < minScore) throw new Error(report(rankByQuery))
    },
  )
})
