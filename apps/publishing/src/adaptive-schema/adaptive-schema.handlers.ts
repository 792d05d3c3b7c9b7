import { adaptiveSchemas, type SiteAdaptiveJsonSchema } from '@recto/contracts-publishing'
import { recorded } from '@recto/contracts-shared'
import { changedFields, Failure, feature } from '@recto/operation'
import type { z } from 'zod'
import type { AdaptiveSchemaRow } from './adaptive-schema.entity.ts'
import * as repository from './adaptive-schemas.repository.ts'
import { templateConditions } from './template-conditions.rules.ts'
import type { BaseContext } from '../shared/context.ts'
import { updateSite, readSite } from '../sites/update-site.ts'

export const adaptiveSchemaFeature = feature<BaseContext>()(adaptiveSchemas, {
  async getSiteAdaptiveSchema({ params }, context) {
    const { id } = await readSite(context, params)
    const schema = await repository.find(context.db, id)
    if (!schema) throw new Failure('not_found', 'The site has no adaptive schema')
    return present(schema)
  },

  // Claims without proof that are not declared any more must not go on counting: visits end.
  async updateSiteAdaptiveSchema({ params, body: { jsonSchema } }, context) {
    return updateSite(context, params, async (tx, { site, place, revokeTokens }) => {
      revokeTokens()
      const before = await repository.find(tx, site.id)
      const row = { siteId: site.id, jsonSchema, updatedAt: new Date() }
      await repository.save(tx, row)
      if (!before || changedFields(before, row, ['updatedAt']).length > 0)
        tx.record(recorded('site.adaptive-schema.updated', place))
      return present(row)
    })
  },

  async listSiteAdaptiveTemplateConditions({ params }, context) {
    const { id } = await readSite(context, params)
    const schema = await repository.find(context.db, id)
    return { items: schema ? templateConditions(schema.jsonSchema) : [] }
  },
})

function present({ jsonSchema, updatedAt }: AdaptiveSchemaRow) {
  return {
    object: 'site-adaptive-schema' as const,
    jsonSchema: jsonSchema as z.input<typeof SiteAdaptiveJsonSchema>,
    updatedAt: updatedAt.toISOString(),
  }
}
