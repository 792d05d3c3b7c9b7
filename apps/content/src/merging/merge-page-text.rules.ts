import { isDeepStrictEqual } from 'node:util'
import { parseYaml, splitPage, writeFrontMatter } from '@recto/markdown'
import { mergeText, type MergedText } from './merge-text.rules.ts'
import { mergedSide, type Side, type Sides } from './three-way.ts'

type Texts = Record<'base' | Side, string>
type Values = Record<string, unknown>

/** A key of front matter to which both sides gave another value. */
export interface KeyConflict {
  key: string
  values: Sides<unknown>
}

/** A Markdown file merged by key of its front matter and by line of its body; keys in conflict have the values of main content. */
export interface MergedPageText extends MergedText {
  keyConflicts: readonly KeyConflict[]
}

/**
 * Merges both sides of a Markdown file: its front matter by key, so that different settings do not conflict however near their lines are,
 * and its body by line, as `mergeText`. Front matter that is merged by line without a conflict keeps the comments of both sides, else
 * those of main content. Where front matter of a side cannot be read, the whole file is merged by line. `body` takes that of one side.
 */
export function mergePageText(texts: Texts, { body: bodySide }: { body?: Side } = {}): MergedPageText {
  const parts = { base: partsOf(texts.base), main: partsOf(texts.main), changeRequest: partsOf(texts.changeRequest) }
  const head = mergeHeads(parts)
  if (!head) {
    const merged = bodySide ? { text: texts[bodySide], isConflict: false } : mergeText(texts)
    return { ...merged, keyConflicts: [] }
  }
  const bodies = { base: parts.base.body, main: parts.main.body, changeRequest: parts.changeRequest.body }
  const body = bodySide ? { text: bodies[bodySide], isConflict: false } : mergeText(bodies)
  const text = withKeys(head.text + body.text, head.changes)
  return { text, isConflict: body.isConflict, keyConflicts: head.keyConflicts }
}

/** A text with keys of its front matter changed; without changes, front matter that cannot be read stays as it is. */
export function withKeys(markdown: string, changes: Values): string {
  return Object.keys(changes).length === 0 ? markdown : writeFrontMatter(markdown, changes)
}

interface Parts {
  /** The front matter with its dashes, and a byte order mark before it; empty without front matter. */
  head: string
  body: string
}

function partsOf(text: string): Parts {
  const { bodyOffset } = splitPage(text)
  return { head: text.slice(0, bodyOffset), body: text.slice(bodyOffset) }
}

/** The fields of front matter; undefined where it is no map that can be read. */
function valuesOf(head: string): Values | undefined {
  const yaml = parseYaml(splitPage(head).head ?? '')
  if (!yaml.ok) return undefined
  const value = yaml.value ?? {}
  return typeof value === 'object' && !Array.isArray(value) ? (value as Values) : undefined
}

interface MergedHead {
  text: string
  /** Keys that the text does not have as they are merged. */
  changes: Values
  keyConflicts: KeyConflict[]
}

function mergeHeads({ base, main, changeRequest }: Record<'base' | Side, Parts>): MergedHead | undefined {
  const heads = { base: base.head, main: main.head, changeRequest: changeRequest.head }
  const unchanged = mergedSide(heads)
  if (unchanged) return { text: heads[unchanged], changes: {}, keyConflicts: [] }
  const [ofBase, ofMain, ofChangeRequest] = [heads.base, heads.main, heads.changeRequest].map(valuesOf)
  if (!ofBase || !ofMain || !ofChangeRequest) return undefined
  const { values, keyConflicts } = mergeKeys({ base: ofBase, main: ofMain, changeRequest: ofChangeRequest })
  const byLine = mergeText(heads)
  if (!byLine.isConflict && isDeepStrictEqual(valuesOf(byLine.text), values))
    return { text: byLine.text, changes: {}, keyConflicts }
  const names = new Set([...Object.keys(values), ...Object.keys(ofMain)])
  const changed = Array.from(names).filter(name => !isDeepStrictEqual(values[name], ofMain[name]))
  return {
    text: main.head,
    changes: Object.fromEntries(changed.map(name => [name, values[name]])),
    keyConflicts,
  }
}

function mergeKeys(all: Record<'base' | Side, Values>): { values: Values; keyConflicts: KeyConflict[] } {
  const keyConflicts: KeyConflict[] = []
  const names = new Set(Object.values(all).flatMap(values => Object.keys(values)))
  const entries = Array.from(names, (key): [string, unknown] => {
    const of = (values: Values) => (Object.hasOwn(values, key) ? values[key] : undefined)
    const values = { base: of(all.base), main: of(all.main), changeRequest: of(all.changeRequest) }
    const side = mergedSide(values)
    if (!side) keyConflicts.push({ key, values })
    return [key, values[side ?? 'main']]
  })
  return { values: Object.fromEntries(entries.filter(([, value]) => value !== undefined)), keyConflicts }
}
