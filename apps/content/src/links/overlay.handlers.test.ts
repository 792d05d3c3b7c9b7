import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aProposer } from '../test/a-proposer.ts'
import { aContent, aSpace, type ContentSetup, importInto, type TestContent } from '../test/content-setup.ts'
import { untilProjected } from '../test/until-projected.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { as, propose } = aProposer(() => content)

const paths = ['a', 'b', 'README', 'a/b', 'a/README', 'b/a', 'a/b/c d']
const targets = [
  'a.md',
  'b.md',
  'b',
  'a/',
  './',
  '.',
  '..',
  '../',
  '/',
  'README.md',
  '../README.md',
  '/a',
  '/b/a',
  '/m',
  'm',
  'a/b.md',
  '../a.md',
  'b.md?x',
  'c%20d.md',
  'b/c%20d.md',
  'a%2Fb.md',
  '#x',
  '#y',
  'a.md#x',
  '/a#y',
  '../b.md#x',
  'a&#46;md',
  'assets/f.txt',
  '../assets/f.txt',
  '/assets/g.txt',
  'https://example.com/a',
  'http://recto.test/s/x/a',
  'a/../b.md',
]
/** Every page has every target, and mostly keeps its text, so that a change is one of the pages that its targets lead to. */
const links = targets.map(target => `[l](${target})`).join('\n\n')
const include = '{% include "/.gitbook/includes/n.md" %}'
const variants = [
  `## x\n\n${links}\n\n${include}\n`,
  `## y\n\n${links}\n`,
  `## x\n\n${include}\n\n## y\n\n[m](missing.md) [a](a.md)\n`,
]
const text = fc.constantFrom(...[0, 0, 0, 0, 0, 0, 1, 2].map(at => variants[at] ?? ''))
const manual: fc.Arbitrary<TestContent> = fc
  .record({
    chosen: fc.subarray(paths),
    texts: fc.array(text, { minLength: paths.length, maxLength: paths.length }),
    slug: fc.constantFrom('m', undefined),
    files: fc.subarray(['f.txt', 'g.txt']),
    reusable: fc.option(text, { nil: undefined }),
  })
  .map(({ chosen, texts, slug, files, reusable }) => {
    const has = (path: string): boolean => {
      const parent = path.split('/').slice(0, -1).join('/')
      return chosen.includes(path) && (parent === '' || has(parent))
    }
    return {
      pages: Object.fromEntries(paths.filter(has).map((path, at) => [path, texts[at] ?? ''])),
      // The fixture finds parents by path, so `b` with another slug must have no page below it.
      ...(slug !== undefined && !has('b/a') && { fields: { b: { slug } } }),
      files: Object.fromEntries(files.map(name => [name, name])),
      ...(reusable !== undefined && { reusable: { n: reusable } }),
    }
  })

async function linksOf(of: { space: string; id?: string }) {
  const query = { limit: 1_000 }
  const { items, stats } =
    of.id === undefined
      ? await as('read').listSpaceLinks({ params: { spaceId: of.space }, query })
      : await as('read').listChangeRequestLinks({ params: { spaceId: of.space, changeRequestId: of.id }, query })
  // Links to files expire, and each listing signs its own.
  const withoutSigned = JSON.stringify(items, (name: string, value: unknown) =>
    name === 'downloadURL' || name === 'space' ? undefined : value,
  )
  return { items: JSON.parse(withoutSigned) as unknown[], total: stats.total, broken: stats.broken.total }
}

it('The links of a change request are those that its content had as main content, whatever main content becomes', async () => {
  const manuals = fc.sample(manual, { numRuns: 24, seed: 11 })
  const spaceId = await aSpace(content)
  let differing = 0
  const proposals = []
  for (const [at, manualContent] of manuals.entries()) {
    await importInto(content, spaceId, manualContent, { oid: `commit-${at}` })
    await untilProjected(content, spaceId)
    const listed = await linksOf({ space: spaceId })
    for (const { proposed, before } of proposals.slice(-3)) {
      expect({ at, ...(await linksOf(proposed)) }).toEqual({ at, ...before })
      if (JSON.stringify(listed) !== JSON.stringify(before)) differing += 1
    }
    proposals.push({ proposed: await propose(spaceId), before: listed })
  }
  expect(differing).toBeGreaterThan(40)
})
