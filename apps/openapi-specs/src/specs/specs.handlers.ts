import { requireRole } from '@recto/actor'
import { openApiSpecEvents } from '@recto/contracts-openapi-specs-bus'
import { openApiSpecs } from '@recto/contracts-openapi-specs'
import { recorded, SpecSlug } from '@recto/contracts-shared'
import type { Transaction } from '@recto/database'
import { changedFields, feature, fieldFault } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { presentSpec } from './present-spec.ts'
import type { SpecRow } from './spec.entity.ts'
import { canEditSpecs, canViewSpecs, noSuchSpec, requireRoleOnSpec } from './specs.policy.ts'
import * as repository from './specs.repository.ts'
import { dueAt, fromSource, newSpec, type Source } from './specs.rules.ts'
import * as versions from '../versions/versions.repository.ts'

export const specFeature = feature<BaseContext>()(openApiSpecs, {
  async listOpenAPISpecs({ params: { organizationId }, query }, context) {
    const role = requireRole(context.actor, organizationId, canViewSpecs)
    const page = await repository.list(context.db, organizationId, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(spec => presentSpec(spec, { role, publicUrl: context.publicUrl })) }
  },

  async createOpenAPISpec({ params: { organizationId }, body: { slug, source } }, context) {
    requireRole(context.actor, organizationId, canEditSpecs)
    const spec = newSpec(organizationId, slug, source)
    await context.transaction(tx => repository.insert(tx, spec, source.text))
    context.processDue()
    return presented(spec, context)
  },

  async getOpenAPISpecBySlug({ params }, context) {
    requireRoleOnSpec(context.actor, params.organizationId, canViewSpecs)
    return presented(await repository.get(context.db, params), context)
  },

  async createOrUpdateOpenAPISpecBySlug({ params, body: { source } }, context) {
    requireRoleOnSpec(context.actor, params.organizationId, canEditSpecs)
    if (!SpecSlug.safeParse(params.specSlug).success)
      throw fieldFault('params.specSlug', 'must be at most 100 lower-case letters and digits in groups joined by -')
    const { spec, isNew } = await context.transaction(async tx => {
      await repository.lockSlug(tx, params)
      const current = await repository.lock(tx, params)
      if (current) return { spec: await changeSource(tx, current, source), isNew: false }
      const spec = newSpec(params.organizationId, params.specSlug, source)
      await repository.insert(tx, spec, source.text)
      return { spec, isNew: true }
    })
    if (isNew) context.setCreated()
    context.processDue()
    return presented(spec, context)
  },

  async updateOpenAPISpecBySlug({ params, body }, context) {
    const spec = await change(context, params, { ...body, updatedAt: new Date() })
    return presented(spec, context)
  },

  async deleteOpenAPISpecBySlug({ params }, context) {
    requireRoleOnSpec(context.actor, params.organizationId, canEditSpecs)
    await context.transaction(async tx => {
      const spec = await repository.lock(tx, params)
      if (!spec) return
      await versions.markUnused(tx, spec.id)
      await repository.remove(tx, spec.id)
      const { organizationId: organization, id, slug } = spec
      tx.record(recorded('openapi-spec.deleted', { organization, openapiSpec: id }))
      await tx.publish(openApiSpecEvents.specDeleted, { organization, spec: id, slug })
    })
    return undefined
  },

  async refreshOpenAPISpec({ params }, context) {
    const spec = await change(context, params, dueAt(new Date()))
    context.processDue()
    return presented(spec, context)
  },
})

async function changeSource(tx: Transaction, spec: SpecRow, source: Source): Promise<SpecRow> {
  const changes = { ...fromSource(source, new Date()), sourceVersion: spec.sourceVersion + 1 }
  await repository.update(tx, spec.id, changes)
  const hasOtherText = await repository.setText(tx, spec.id, source.text)
  if (hasOtherText || changes.sourceUrl !== spec.sourceUrl) recordUpdate(tx, spec, ['source'])
  return { ...spec, ...changes }
}

function recordUpdate(tx: Transaction, { organizationId: organization, id }: SpecRow, fields: string[]): void {
  tx.record(recorded('openapi-spec.updated', { organization, openapiSpec: id, details: { fields } }))
}

/** Fields by which processing is scheduled: they are no settings. */
const schedule = ['updatedAt', 'state', 'attempts', 'dueAt', 'lease', 'heartbeatAt']

async function change(context: Context, name: repository.SpecName, changes: Partial<SpecRow>): Promise<SpecRow> {
  requireRoleOnSpec(context.actor, name.organizationId, canEditSpecs)
  return context.transaction(async tx => {
    const spec = await repository.lock(tx, name)
    if (!spec) throw noSuchSpec()
    await repository.update(tx, spec.id, changes)
    const after = { ...spec, ...changes }
    const fields = changedFields(spec, after, schedule)
    if (fields.length > 0) recordUpdate(tx, spec, fields)
    return after
  })
}

function presented(spec: SpecRow, { actor, publicUrl }: Context) {
  return presentSpec(spec, { role: requireRoleOnSpec(actor, spec.organizationId, canViewSpecs), publicUrl })
}
