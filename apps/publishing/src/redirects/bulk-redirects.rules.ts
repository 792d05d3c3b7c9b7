import { fieldFault, fieldFaults } from '@recto/operation'
import type { RedirectRow } from './redirect.entity.ts'

/** A change of the redirect of a canonical source. */
export type BulkChange =
  | { source: string; intent: 'publish' }
  | { source: string; intent: 'delete'; draft: boolean }
  | ({ source: string; intent: 'save'; draft: boolean; permanent: boolean | undefined } & Pick<
      RedirectRow,
      'captureWildcard' | 'destination'
    >)

/** The outcome of a change of one redirect. */
export type BulkResult =
  | { status: 'created' | 'updated' | 'published'; source: string; draft: boolean; id: string }
  | { status: 'deleted'; source: string; draft: boolean }

/** The rows after changes of many redirects: those to delete, and those to write, the ones that exist before new ones. */
export interface BulkPlan {
  results: BulkResult[]
  deletedIds: string[]
  saved: RedirectRow[]
}

interface BulkContext {
  siteId: string
  now: Date
  createId(): string
}

/**
 * Applies changes to the redirects of their sources. Throws, naming the places in the list, `invalid_request` for changes of the same
 * redirect, and `not_found` for a draft to publish that is not there.
 */
export function planBulk(rows: readonly RedirectRow[], changes: readonly BulkChange[], context: BulkContext): BulkPlan {
  requireDistinct(changes)
  const current = new Map(rows.map(row => [keyOf(row), row]))
  const results = changes.map((change, at): BulkResult => {
    if (change.intent === 'publish') return publish(current, change.source, { at, now: context.now })
    if (change.intent === 'save') return save(current, change, context)
    const { source, draft } = change
    current.delete(keyOf({ source, draft }))
    return { status: 'deleted', source, draft }
  })
  const before = new Map(rows.map(row => [row.id, row]))
  const after = [...current.values()]
  const ids = new Set(after.map(({ id }) => id))
  const existing = after.filter(row => before.has(row.id) && before.get(row.id) !== row)
  return {
    results,
    deletedIds: rows.map(({ id }) => id).filter(id => !ids.has(id)),
    saved: [...existing, ...after.filter(({ id }) => !before.has(id))],
  }
}

/** Two changes of one redirect are a mistake of the list: nobody could say which of them counts. */
function requireDistinct(changes: readonly BulkChange[]): void {
  const first = new Map<string, number>()
  const faults = changes.flatMap((change, at) => {
    const keys = keysOf(change)
    const same = keys.map(key => first.get(key)).find(each => each !== undefined)
    for (const key of keys) if (!first.has(key)) first.set(key, at)
    if (same === undefined) return []
    return [
      {
        path: `body.redirects.${at}.source`,
        message: `is that of body.redirects.${same}, too: a redirect may be changed once`,
      },
    ]
  })
  if (faults.length > 0) throw fieldFaults(faults)
}

/** The redirects that a change is of: to publish is to change the draft and the live one. */
function keysOf(change: BulkChange): string[] {
  const { source } = change
  const drafts = change.intent === 'publish' ? [true, false] : [change.draft]
  return drafts.map(draft => keyOf({ source, draft }))
}

type Current = Map<string, RedirectRow>

const keyOf = ({ source, draft }: Pick<RedirectRow, 'source' | 'draft'>) => `${draft ? 'draft' : 'live'} ${source}`

function publish(current: Current, source: string, { at, now }: { at: number; now: Date }): BulkResult {
  const draft = current.get(keyOf({ source, draft: true }))
  if (!draft) throw fieldFault(`body.redirects.${at}.source`, 'the site has no draft with this source', 'not_found')
  const live = current.get(keyOf({ source, draft: false }))
  const { id, createdAt } = live ?? draft
  current.delete(keyOf(draft))
  current.set(keyOf({ source, draft: false }), { ...draft, id, createdAt, draft: false, updatedAt: now })
  return { status: 'published', source, draft: false, id }
}

function save(
  current: Current,
  { intent: _intent, permanent, ...change }: Extract<BulkChange, { intent: 'save' }>,
  { siteId, now, createId }: BulkContext,
): BulkResult {
  const { source, draft } = change
  const row = current.get(keyOf(change))
  const id = row?.id ?? createId()
  const times = row ? { createdAt: row.createdAt, updatedAt: now } : { createdAt: now, updatedAt: null }
  current.set(keyOf(change), { ...change, id, siteId, permanent: permanent ?? row?.permanent ?? false, ...times })
  return { status: row ? 'updated' : 'created', source, draft, id }
}
