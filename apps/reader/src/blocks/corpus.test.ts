import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { textOf, type JSONDocument } from '@recto/markdown'
import { markdownOfBundle, sharedBundle } from '@recto/testing'
import { renderBody } from './render-body.tsx'
import { faultsOf, textOfHtml } from './test/html.ts'
import { allTargets, emptyInput, read } from './test/render.ts'

const fixtures = resolve(import.meta.dirname, '../../../../libs/markdown/fixtures')

/** A document without what a page does not show as words: expressions, marks of mentions, boxes, and columns that have no rows. */
function shownDocument(document: JSONDocument): JSONDocument {
  const json = JSON.stringify(document, (name, value: unknown) => {
    if (Array.isArray(value)) return value.filter(node => !isUnseen(node as Record<string, unknown>))
    if (name === 'values') return withoutBooleans(value as object)
    return name === 'title' && value === 'mention' ? undefined : value
  })
  return JSON.parse(json) as JSONDocument
}

function isUnseen({ type, data, nodes }: Record<string, unknown>): boolean {
  const { raw, records } = (data ?? {}) as Record<string, unknown>
  const isDefinition = raw === true && /"text":"\[[^\]]+\]: /.test(JSON.stringify(nodes))
  const isEmpty = records !== undefined && Object.keys(records as object).length === 0
  return type === 'expression' || isDefinition || isEmpty
}

function withoutBooleans(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value !== 'boolean'))
}

/** The words of a text, each as often as it is there. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** The words of a page that are not in its body, by count. */
function lostWords(words: readonly string[], html: string): string[] {
  const there = new Map<string, number>()
  for (const word of wordsOf(textOfHtml(html))) there.set(word, (there.get(word) ?? 0) + 1)
  return words.filter(word => {
    const count = there.get(word) ?? 0
    there.set(word, count - 1)
    return count <= 0
  })
}

/** Renders a page, compares its words and validates it; returns the number of words. */
async function expectWhole(markdown: string): Promise<number> {
  const document = read(markdown)
  const claims = { unsigned: { beta: true } }
  const { html } = await renderBody({ ...emptyInput, document, claims, targets: allTargets(document) })
  const words = wordsOf(textOf(shownDocument(document)))
  expect(lostWords(words, html)).toEqual([])
  expect(faultsOf(html)).toEqual([])
  return words.length
}

describe('a page of the fixtures keeps its words and is valid', () => {
  it.each(readdirSync(fixtures))('%s', async name => {
    expect(await expectWhole(readFileSync(join(fixtures, name), 'utf8'))).toBeGreaterThan(0)
  })
})

for (const name of ['block-normalization.bundle', 'fluentd-docs.bundle']) {
  const bundle = sharedBundle(name)
  const title = `every page of ${name}${bundle ? '' : ' (skipped: ../shared/data is absent)'}`
  const suite = bundle ? describe : describe.skip

  suite(title, () => {
    let pages: [string, string][] = []
    beforeAll(async () => void (pages = await markdownOfBundle(bundle ?? '')))

    it('keeps its words and is valid', async () => {
      expect(pages.length).toBeGreaterThan(0)
      let words = 0
      for (const [file, markdown] of pages) {
        try {
          words += await expectWhole(markdown)
        } catch (error) {
          throw new Error(file, { cause: error })
        }
      }
      expect(words).toBeGreaterThan(0)
    })
  })
}
