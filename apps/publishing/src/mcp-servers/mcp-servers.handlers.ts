import { mcpServerLimits, siteMcpServers } from '@recto/contracts-publishing'
import { recorded } from '@recto/contracts-shared'
import { changedFields, createId, Failure, feature, fieldFault, omitUndefined } from '@recto/operation'
import type { BaseContext, Context } from '../shared/context.ts'
import { requireManagedSite, setLocationBelow, type SiteParams, updateSite } from '../sites/update-site.ts'
import { changedHeaders, hideValues } from './headers.rules.ts'
import type { McpServerRow } from './mcp-server.entity.ts'
import * as repository from './mcp-servers.repository.ts'
import { readableHeaders, sealHeaders } from './sealed-headers.ts'

export const siteMcpServerFeature = feature<BaseContext>()(siteMcpServers, {
  // Its URL may be a secret, as its headers are: it is shown to those only who manage sites.
  async listSiteMcpServers({ params, query }, context) {
    const site = await requireManagedSite(context, params)
    const page = await repository.list(context.db, site.id, { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(row => present(row, params, context)) }
  },

  async createSiteMcpServer({ params, body: { condition = null, ...body } }, context) {
    const row = await updateSite(context, params, async (tx, { site, place }) => {
      if ((await repository.count(tx, site.id)) >= mcpServerLimits.servers)
        throw new Failure('conflict', `A site has at most ${mcpServerLimits.servers} MCP servers`)
      const id = createId()
      const headers = sealHeaders(changedHeaders(undefined, body), id, context.signingSecret)
      const row = { id, siteId: site.id, ...body, headers, condition, createdAt: new Date() }
      await repository.insert(tx, row)
      tx.record(recorded('site.mcp-server.created', { ...place, siteMcpServer: id }))
      return row
    })
    setLocationBelow(context, params, `mcp-servers/${row.id}`)
    return present(row, params, context)
  },

  async getSiteMcpServerById({ params }, context) {
    const site = await requireManagedSite(context, params)
    return present(await repository.get(context.db, { siteId: site.id, id: params.siteMcpServerId }), params, context)
  },

  async updateSiteMcpServerById({ params, body }, context) {
    const { signingSecret } = context
    const row = await updateSite(context, params, async (tx, { site, place }) => {
      const row = await repository.get(tx, { siteId: site.id, id: params.siteMcpServerId })
      const change = omitUndefined(body)
      const stored = readableHeaders(row, signingSecret)
      if (!stored && !change.headers)
        throw fieldFault('body.headers', 'must be given anew, since the stored ones cannot be decrypted any more')
      const before = { ...row, headers: stored ?? {} }
      const after = { ...row, ...change, headers: changedHeaders(before, change) }
      const changed = { ...after, headers: sealHeaders(after.headers, row.id, signingSecret) }
      await repository.update(tx, row.id, changed)
      const fields = changedFields(before, after)
      if (fields.length > 0)
        tx.record(recorded('site.mcp-server.updated', { ...place, siteMcpServer: row.id, details: { fields } }))
      return changed
    })
    return present(row, params, context)
  },

  async deleteSiteMcpServerById({ params }, context) {
    const { siteMcpServerId: id } = params
    await updateSite(context, params, async (tx, { site, place }) => {
      const isRemoved = await repository.remove(tx, { siteId: site.id, id })
      if (isRemoved) tx.record(recorded('site.mcp-server.deleted', { ...place, siteMcpServer: id }))
    })
    return undefined
  },
})

function present(row: McpServerRow, { organizationId, siteId }: SiteParams, { publicUrl, signingSecret }: Context) {
  const { id, name, url, transport, condition } = row
  return {
    object: 'site-mcp-server' as const,
    id,
    name,
    url,
    transport,
    headers: hideValues(readableHeaders(row, signingSecret) ?? {}),
    ...(condition !== null && { condition }),
    urls: { location: `${publicUrl}/v1/orgs/${organizationId}/sites/${siteId}/mcp-servers/${id}` },
  }
}
