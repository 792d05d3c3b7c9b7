import { scimDiscovery, scimProtocol } from '@recto/contracts-identity'
import { Failure, feature } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { organizationOfToken } from './organization-of-token.ts'
import { scimResourceTypes, scimSchemas, serviceProviderConfig } from './schemas.ts'
import { presentList } from './search.ts'

export const scimDiscoveryFeature = feature<BaseContext>()(scimDiscovery, {
  async getScimServiceProviderConfig(_input, context) {
    return serviceProviderConfig(baseFor(context))
  },

  async listScimResourceTypes(_input, context) {
    return whole(scimResourceTypes(baseFor(context)))
  },

  async getScimResourceType({ params }, context) {
    return documentNamed(scimResourceTypes(baseFor(context)), params.name)
  },

  async listScimSchemas(_input, context) {
    return whole(scimSchemas(baseFor(context)))
  },

  async getScimSchema({ params }, context) {
    return documentNamed(scimSchemas(baseFor(context)), params.schema)
  },
})

/** The URL below which the rows are, for a caller who may provision an organization. */
function baseFor({ actor, publicUrl }: Context): string {
  organizationOfToken(actor)
  return `${publicUrl}${scimProtocol.base}`
}

function whole<Item extends Record<string, unknown>>(items: Item[]) {
  return presentList({ items, total: items.length, startIndex: 1 }, item => item)
}

/** Throws `not_found`. */
function documentNamed<Item extends { id: string }>(items: Item[], id: string): Item {
  const item = items.find(one => one.id === id)
  if (!item) throw new Failure('not_found', `There is no ${id.slice(0, 200)}`)
  return item
}
