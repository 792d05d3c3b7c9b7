import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { markdownOfBundle, sharedBundle } from '@recto/testing'
import { readOutline } from '../index.ts'
import type { DocumentBlock } from '../schema.ts'
import { lostWords, read, roundTrip, targetsOf } from './round-trip.ts'

const fixtures = resolve(import.meta.dirname, '../../fixtures')

/** Markdown → document → Markdown → document is a fixed point that loses no word and no reference. */
function expectFixedPoint(markdown: string) {
  const { document, output, again, writtenAgain, faults } = roundTrip(markdown)
  expect(faults).toBeUndefined()
  expect(writtenAgain).toBe(output)
  expect(again).toEqual(document)
  const outline = readOutline(markdown)
  expect(lostWords(outline, markdown, document)).toEqual([])
  expect(targetsOf(readOutline(output))).toEqual(targetsOf(outline))
}

function headingIds(nodes: readonly DocumentBlock[]): (string | undefined)[] {
  return nodes.flatMap(node => (node.type.startsWith('heading-') ? [node.meta?.id] : []))
}

describe('a page of the fixtures is a fixed point', () => {
  it.each(readdirSync(fixtures))('%s', name => expectFixedPoint(readFileSync(join(fixtures, name), 'utf8')))

  it.each(readdirSync(fixtures))('%s has the anchors of its outline', name => {
    const markdown = readFileSync(join(fixtures, name), 'utf8')
    const { title = '', anchors } = readOutline(markdown)
    const ids = headingIds(read(markdown, title).nodes)
    expect(anchors).toEqual(expect.arrayContaining(ids))
  })
})

for (const name of ['block-normalization.bundle', 'fluentd-docs.bundle']) {
  const bundle = sharedBundle(name)
  const title = `every page of ${name}${bundle ? '' : ' (skipped: ../shared/data is absent)'}`
  const suite = bundle ? describe : describe.skip

  suite(title, () => {
    let pages: [string, string][] = []
    beforeAll(async () => void (pages = await markdownOfBundle(bundle ?? '')))

    it('is a fixed point', () => {
      expect(pages.length).toBeGreaterThan(0)
      for (const [file, markdown] of pages) {
        try {
          expectFixedPoint(markdown)
        } catch (error) {
          throw new Error(file, { cause: error })
        }
      }
    })
  })
}
