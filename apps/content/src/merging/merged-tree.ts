import type { PageIndex } from '../pages/page-tree.ts'
import type { PageRecord } from '../revisions/records.ts'
import type { Conflict, MergeInput, PlaceInTree, RecordChanges } from './conflict.ts'
import type { Decisions } from './decisions.ts'
import { conflictOf } from './merge-record.rules.ts'
import { isSame, type Side, type Sides } from './three-way.ts'

/** The pages of a merge in progress: main content with the merged records of the pages that differ on a side. */
export class MergedTree {
  readonly sides: ReadonlyMap<string, Sides<PageRecord>>
  readonly decisions: Decisions
  /** The side of a page whose place follows from another decision, whatever the page's own conflict says. */
  readonly forced = new Map<string, Side>()
  /** Pages whose deletion a conflict has decided; what was inserted below them goes with them. */
  readonly dropped = new Set<string>()
  readonly #trees: Pick<MergeInput['pages'], keyof Sides<unknown>>
  readonly #records = new Map<string, PageRecord | undefined>()

  constructor(
    trees: Pick<MergeInput['pages'], keyof Sides<unknown>>,
    { sides, decisions }: { sides: ReadonlyMap<string, Sides<PageRecord>>; decisions: Decisions },
  ) {
    this.#trees = trees
    this.sides = sides
    this.decisions = decisions
  }

  get main(): PageIndex {
    return this.#trees.main
  }

  get(id: string): PageRecord | undefined {
    return this.#records.has(id) ? this.#records.get(id) : this.#trees.main.get(id)
  }

  set(id: string, record: PageRecord | undefined): void {
    this.#records.set(id, record)
  }

  /** The pages that differ on a side and exist in the merged content. */
  touched(): PageRecord[] {
    return Array.from(this.sides.keys(), id => this.get(id)).filter(record => record !== undefined)
  }

  /** The records that differ from main content. */
  changes(): RecordChanges<PageRecord> {
    return new Map([...this.#records].filter(([id, record]) => !isSame(this.main.get(id), record)))
  }

  /** Whether a page has the parent and the slug that it has on a side. */
  isPlacedAs(side: Side, { id, parent, slug }: PageRecord): boolean {
    const record = this.sides.get(id)?.[side]
    return record !== undefined && record.parent === parent && record.slug === slug
  }

  /** A conflict about the place of a page. */
  moveConflict(id: string): Conflict {
    const { base, main, changeRequest } = this.#trees
    const places = { base: placeIn(base, id), main: placeIn(main, id), changeRequest: placeIn(changeRequest, id) }
    return conflictOf({ kind: 'move', page: id }, places)
  }

  /** Which side is taken in a conflict about the place of a page. */
  decideMove(id: string): Side {
    return this.forced.get(id) ?? this.decisions.side(this.moveConflict(id))
  }
}

function placeIn(tree: PageIndex, id: string): PlaceInTree | undefined {
  const record = tree.get(id)
  if (!record) return undefined
  const position = tree.childrenOf(record.parent).findIndex(sibling => sibling.id === id)
  return { parent: record.parent, path: tree.pathOf(id), position }
}
