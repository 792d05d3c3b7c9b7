import { textOfExpression } from '@recto/expressions'
import type { DocumentBlock } from '@recto/markdown/schema'
import type { ComponentChildren } from 'preact'
import type { Translate } from '../../i18n/index.ts'
import type { Highlight } from '../highlight/highlight.ts'
import type { BodyInput, OutlineEntry, UpdateEntry } from './body.ts'

/** State of writing one body. */
export interface BodyState {
  ids: Set<string>
  outline: OutlineEntry[]
  /** Notes of the text that is being written, which stand behind its block. */
  notes: { id: string; body: DocumentBlock[] }[]
  hasMath: boolean
  updates: UpdateEntry[]
  /** Characters of formulas that may still be read. */
  formulaLeft: number
  /** Characters of descriptions that may still be read as Markdown. */
  descriptionLeft: number
  /** Nodes that may still be written: contents that are included many times, and cells that name one fragment, repeat them. */
  nodesLeft: number
  counts: Record<string, number>
}

/** The context in which a node is written. */
export interface Context {
  input: BodyInput
  state: BodyState
  /** Nodes around this one. */
  depth: number
  /** Headings here are part of the outline. */
  isOutlined: boolean
  /** Within a link nothing else can be pressed. */
  isInLink: boolean
  /** Within an update: those in it are no entries of the page's feed. */
  isInUpdate: boolean
  /** The reusable contents that this node is in. */
  including: readonly string[]
  highlight: Highlight
  /** Writes blocks one below the other. */
  blocks(nodes: readonly DocumentBlock[], context: Context): ComponentChildren
  t: Translate
}

/** Nodes within nodes; what is deeper is shown as text. Markdown nests 100 levels, of which a list has two nodes. */
export const maxDepth = 220
const maxNodes = 400_000
const maxFormulaCharacters = 200_000
const maxDescriptionCharacters = 400_000

/** The values that expressions can name. */
export function scopeOf({ input }: Context) {
  return { visitor: { claims: input.claims } }
}

/** Evaluates expressions of a body. */
export function evaluation(context: Context): (expression: string) => string {
  return expression => textOfExpression(expression, scopeOf(context))
}

/** The state of a body of which nothing is written. */
export function newState(): BodyState {
  return {
    ids: new Set(),
    outline: [],
    notes: [],
    hasMath: false,
    updates: [],
    formulaLeft: maxFormulaCharacters,
    descriptionLeft: maxDescriptionCharacters,
    nodesLeft: maxNodes,
    counts: {},
  }
}

/** The context of what is in a node. */
export function inside(context: Context, changes: Partial<Context> = {}): Context {
  return { ...context, depth: context.depth + 1, ...changes }
}

/** An id that nothing else of the body has. */
export function uniqueId(preferredId: string | undefined, { state }: Context, fallback = 'section'): string {
  const base = (preferredId ?? '').trim().replace(/\s+/g, '-').slice(0, 200) || fallback
  let id = base
  for (let count = nextOf(state, `id ${base}`); state.ids.has(id); count = nextOf(state, `id ${base}`))
    id = `${base}-${count}`
  state.ids.add(id)
  return id
}

/** Counts things of a name, from 1. */
export function nextOf({ counts }: BodyState, name: string): number {
  const count = (Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0) + 1
  counts[name] = count
  return count
}

/** Takes nodes from what may be written; false when nothing is left. */
export function consumeBudget({ state }: Context, nodes: number): boolean {
  state.nodesLeft -= nodes
  return state.nodesLeft >= 0
}

/** A text that costs as much as it is long: what is said once can be shown many times. Nothing when nothing is left. */
export function spendText(context: Context, text: string): string {
  return consumeBudget(context, text.length >> 7) ? text : ''
}
