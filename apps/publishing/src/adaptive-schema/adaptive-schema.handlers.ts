import { adaptiveSchemas, type SiteAdaptiveJsonSchema } from '@recto/contracts-publishing'
import { Failure, feature } from '@recto/operation'
import type { z } from 'zod'
import type { AdaptiveSchemaRow } from './adaptive-schema.entity.ts'
import * as repository from './adaptive-schemas.repository.ts'
import { templateConditions } from './template-conditions.rules.ts'
import type { BaseContext } from '../shared/context.ts'
import { updateSite, readSite } from '../sites/update-site.ts'

export const adaptiveSchemaFeature = feature<BaseContext>()(adaptiveSchemas, {
  async getSiteAdaptiveSchema({ params }, context) {
    const { id } = await readSite(context, params)
    const found = await repository.find(context.db, id)
    if (!found) throw new Failure('not_found', 'The site has no adaptive schema')
    return present(found)
  },

  // Claims without proof that are not declared any more must not go on counting: visits end.
  async updateSiteAdaptiveSchema({ params, body: { jsonSchema } }, context) {
    return updateSite(context, params, async (tx, { site, revokeTokens }) => {
      revokeTokens()
      const row = { siteId: site.id, jsonSchema, updatedAt: new Date() }
      await repository.save(tx, row)
      return present(row)
    })
  },

  async listSiteAdaptiveTemplateConditions({ params }, context) {
    const { id } = await readSite(context, params)
    const found = await repository.find(context.db, id)
    return { items: found ? templateConditions(found.jsonSchema) : [] }
  },
})

function present({ jsonSchema, updatedAt }: AdaptiveSchemaRow) {
  return {
    object: 'site-adaptive-schema' as const,
    jsonSchema: jsonSchema as z.input<typeof SiteAdaptiveJsonSchema>,
    updatedAt: updatedAt.toISOString(),
  }
}
