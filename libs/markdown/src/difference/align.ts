import { sequenceHunks, type Hunk } from './sequence-hunks.ts'

/** How items of a sequence are compared. */
export interface ItemRules<Item> {
  /** The same for items of the same content. */
  id(item: Item): string
  /** The same for items that probably are one, such as of the same beginning. */
  weakId(item: Item): string
  /** The same for items of which one can be a form of the other. */
  kind(item: Item): string
  /** How similar two items of the same kind are, from 0 to 1. */
  similarity(before: Item, after: Item): number
}

/** An item of both sequences, equal or in another form; or of one of them. */
export type Aligned<Item> =
  | { type: 'equal'; before: Item; after: Item }
  | { type: 'change'; before: Item; after: Item }
  | { type: 'delete'; before: Item }
  | { type: 'insert'; after: Item }

/** Items less similar than this are not forms of each other. */
const minSimilarity = 0.4
/** Largest product of the lengths of two parts whose items are compared one by one. */
const maxProduct = 600
/** Largest sum of these products in one alignment. */
const budgetOfPairs = 20_000

/**
 * Pairs the items of two sequences in their order. Equal items come first, by content; what is between them is paired by its beginning,
 * then by similarity where it is short, else by kind. So the work grows with the length of the sequences.
 */
export function align<Item>(before: readonly Item[], after: readonly Item[], rules: ItemRules<Item>): Aligned<Item>[] {
  const budget = { rest: budgetOfPairs }
  return divide({ before, after }, { id: rules.id, isEqual: true, rules }).flatMap(step =>
    'part' in step
      ? divide(step.part, { id: rules.weakId, rules }).flatMap(inner =>
          'part' in inner ? pairSimilar(inner.part, { rules, budget }) : [inner.step],
        )
      : [step.step],
  )
}

interface Part<Item> {
  before: readonly Item[]
  after: readonly Item[]
}

type Divided<Item> = { part: Part<Item> } | { step: Aligned<Item> }

interface Division<Item> {
  id(item: Item): string
  isEqual?: boolean
  rules: ItemRules<Item>
}

/** Divides a part by what has the same id on both sides. */
function divide<Item>({ before, after }: Part<Item>, division: Division<Item>): Divided<Item>[] {
  const { id } = division
  const hunks = sequenceHunks(before.map(id), after.map(id))
  const steps: Divided<Item>[] = []
  let at = 0
  let newAt = 0
  const pairUntil = (end: number) => {
    for (; at < end; at += 1, newAt += 1) steps.push(...pair(before[at] as Item, after[newAt] as Item, division))
  }
  for (const hunk of hunks) {
    pairUntil(hunk.start)
    steps.push({ part: partOf(hunk, { before, after }) })
    at = hunk.end
    newAt = hunk.newEnd
  }
  pairUntil(before.length)
  return steps
}

function partOf<Item>({ start, end, newStart, newEnd }: Hunk, { before, after }: Part<Item>): Part<Item> {
  return { before: before.slice(start, end), after: after.slice(newStart, newEnd) }
}

/** Items of the same beginning are one when they are similar, too. */
function pair<Item>(before: Item, after: Item, { isEqual = false, rules }: Division<Item>): Divided<Item>[] {
  if (isEqual) return [{ step: { type: 'equal', before, after } }]
  const steps = isSimilar(before, after, rules) ? [changed(before, after)] : apart({ before: [before], after: [after] })
  return steps.map(step => ({ step }))
}

function isSimilar<Item>(before: Item, after: Item, rules: ItemRules<Item>): boolean {
  return rules.kind(before) === rules.kind(after) && rules.similarity(before, after) >= minSimilarity
}

function changed<Item>(before: Item, after: Item): Aligned<Item> {
  return { type: 'change', before, after }
}

/** Items that have no other form: deleted ones before inserted ones. */
function apart<Item>({ before, after }: Part<Item>): Aligned<Item>[] {
  return [
    ...before.map(item => ({ type: 'delete' as const, before: item })),
    ...after.map(item => ({ type: 'insert' as const, after: item })),
  ]
}

interface Pairing<Item> {
  rules: ItemRules<Item>
  budget: { rest: number }
}

function pairSimilar<Item>(part: Part<Item>, { rules, budget }: Pairing<Item>): Aligned<Item>[] {
  const product = part.before.length * part.after.length
  if (product === 0) return apart(part)
  if (product > Math.min(maxProduct, budget.rest)) return pairByKind(part, rules)
  budget.rest -= product
  return pairMostSimilar(part, rules)
}

/** Pairs items of a long part by their kinds alone, and leaves apart those that are not similar. */
function pairByKind<Item>(part: Part<Item>, rules: ItemRules<Item>): Aligned<Item>[] {
  return divide(part, { id: rules.kind, rules }).flatMap(step => ('part' in step ? apart(step.part) : [step.step]))
}

/** Pairs items in their order so that the sum of their similarities is greatest. */
function pairMostSimilar<Item>({ before, after }: Part<Item>, rules: ItemRules<Item>): Aligned<Item>[] {
  const width = after.length + 1
  const scores = before.map(item =>
    after.map(other => (isSimilar(item, other, rules) ? rules.similarity(item, other) : 0)),
  )
  const best = new Float64Array((before.length + 1) * width)
  const bestAt = (at: number, newAt: number) => best[at * width + newAt] ?? 0
  const scoreAt = (at: number, newAt: number) => scores[at]?.[newAt] ?? 0
  for (let at = before.length - 1; at >= 0; at -= 1)
    for (let newAt = after.length - 1; newAt >= 0; newAt -= 1)
      best[at * width + newAt] = Math.max(
        bestAt(at + 1, newAt),
        bestAt(at, newAt + 1),
        scoreAt(at, newAt) > 0 ? scoreAt(at, newAt) + bestAt(at + 1, newAt + 1) : 0,
      )
  const steps: Aligned<Item>[] = []
  let last = { at: 0, newAt: 0 }
  const apartUntil = (at: number, newAt: number) =>
    steps.push(...apart({ before: before.slice(last.at, at), after: after.slice(last.newAt, newAt) }))
  for (let at = 0, newAt = 0; at < before.length && newAt < after.length;) {
    const score = scoreAt(at, newAt)
    if (score > 0 && bestAt(at, newAt) === score + bestAt(at + 1, newAt + 1)) {
      apartUntil(at, newAt)
      steps.push(changed(before[at] as Item, after[newAt] as Item))
      at += 1
      newAt += 1
      last = { at, newAt }
    } else if (bestAt(at, newAt) === bestAt(at + 1, newAt)) at += 1
    else newAt += 1
  }
  apartUntil(before.length, after.length)
  return steps
}
