import type { PageIndex } from '../pages/page-tree.ts'
import type { PageRecord } from '../revisions/records.ts'
import type { RecordChanges } from './conflict.ts'
import type { PageTrees } from './move-conflict.ts'
import { isSame, type Side, type Sides } from './three-way.ts'

/** The pages of a merge in progress: main content with the merged records of the pages that differ on a side. */
export class MergedTree {
  readonly trees: PageTrees
  readonly sides: ReadonlyMap<string, Sides<PageRecord>>
  /** The side of a page whose place follows from another choice, whatever the page's own conflict says. */
  readonly forced = new Map<string, Side>()
  /** Pages whose deletion was chosen; pages that were inserted below them are deleted, too. */
  readonly dropped = new Set<string>()
  readonly #records = new Map<string, PageRecord | undefined>()

  constructor(trees: PageTrees, sides: ReadonlyMap<string, Sides<PageRecord>>) {
    this.trees = trees
    this.sides = sides
  }

  get main(): PageIndex {
    return this.trees.main
  }

  get(id: string): PageRecord | undefined {
    return this.#records.has(id) ? this.#records.get(id) : this.main.get(id)
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
}
