import { isDeepStrictEqual } from 'node:util'
import { glossary as rows, glossaryLimits } from '@recto/contracts-content'
import { recorded } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { createId, Failure, feature, fieldFault, type Input } from '@recto/operation'
import { requireMember, roleForbids } from '@recto/actor'
import type { Membership } from '@recto/actor'
import type { BaseContext, Context } from '../shared/context.ts'
import * as glossary from './glossary.repository.ts'
import { presentEntry } from './present-translation.ts'
import { canEditGlossary } from './translations.policy.ts'

export const glossaryFeature = feature<BaseContext>()(rows, {
  async listGlossaryEntries({ params: { organizationId }, query }, context) {
    requireReader(organizationId, context)
    const list = { organization: organizationId, orderBy: query.orderBy }
    const page = await glossary.listOf(context.db, list, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(entry => presentEntry(entry, context.publicUrl)) }
  },

  async updateGlossaryEntries({ params: { organizationId }, body: { operations } }, context) {
    const { role } = requireReader(organizationId, context)
    if (!canEditGlossary(role)) throw roleForbids(role)
    await context.transaction(tx => change(tx, organizationId, operations))
    return undefined
  },

  async getGlossaryEntry({ params }, context) {
    requireReader(params.organizationId, context)
    const entry = await glossary.find(context.db, params.glossaryEntryId)
    if (entry?.organizationId !== params.organizationId) throw new Failure('not_found', 'There is no such entry')
    return presentEntry(entry, context.publicUrl)
  },
})

/** The glossary belongs to the organization: its members read it, guests do not. */
function requireReader(organization: string, { actor }: Context): Membership {
  const membership = requireMember(actor, organization)
  if (membership.role === null) throw new Failure('not_found', 'There is no such organization')
  return membership
}

type Operation = Input<typeof rows.updateGlossaryEntries>['body']['operations'][number]

/** Makes all changes, or none: throws `not_found` for an entry that does not exist. A deletion of a missing entry succeeds. */
async function change(tx: Transaction, organizationId: string, operations: Operation[]): Promise<void> {
  const count = await glossary.lockAndCount(tx, organizationId)
  const inserted = operations.filter(({ type }) => type === 'insert').length
  if (inserted > 0 && count + inserted > glossaryLimits.entries)
    throw new Failure('conflict', `A glossary has at most ${glossaryLimits.entries} entries`)
  const ids = operations.flatMap(operation => ('id' in operation ? [operation.id] : []))
  const entriesById = new Map((await glossary.lockAll(tx, organizationId, ids)).map(entry => [entry.id, entry]))
  const counts = { inserted: 0, updated: 0, deleted: 0 }
  for (const [at, operation] of operations.entries()) {
    const now = new Date()
    if (operation.type === 'delete') {
      await glossary.remove(tx, organizationId, [operation.id])
      if (entriesById.delete(operation.id)) counts.deleted += 1
      continue
    }
    const { translations } = operation
    if (operation.type === 'insert') {
      await glossary.save(tx, { id: createId(), organizationId, translations, createdAt: now, updatedAt: now })
      counts.inserted += 1
      continue
    }
    const entry = entriesById.get(operation.id)
    if (!entry) throw fieldFault(`body.operations.${at}.id`, 'is no entry of the glossary', 'not_found')
    if (isDeepStrictEqual(translations, entry.translations)) continue
    const next = { ...entry, translations, updatedAt: now }
    await glossary.save(tx, next)
    entriesById.set(entry.id, next)
    counts.updated += 1
  }
  if (Object.values(counts).some(count => count > 0))
    tx.record(recorded('glossary.updated', { organization: organizationId, details: counts }))
}
