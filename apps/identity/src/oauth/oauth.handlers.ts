import { oauthApi } from '@recto/contracts-identity'
import { recorded, type TokenScope } from '@recto/contracts-shared'
import { feature } from '@recto/operation'
import { requireCurrentMembership } from '../members/current-membership.ts'
import * as members from '../members/members.repository.ts'
import { canAdminister, requireMembership } from '../organizations/organizations.policy.ts'
import type { BaseContext, Context } from '../shared/context.ts'
import { presentUser } from '../users/present-user.ts'
import type { OAuthClientRow } from '../grants/client.entity.ts'
import * as clients from '../grants/clients.repository.ts'
import { endGrant } from './end-grants.ts'
import { endSession } from './end-session.ts'
import * as grants from '../grants/grants.repository.ts'
import { listOrganizationGrants } from './organization-grants.repository.ts'
import { newClient } from './new-client.ts'
import type { OAuthSessionRow } from './session.entity.ts'
import * as sessions from './sessions.repository.ts'

export const oauthFeature = feature<BaseContext>()(oauthApi, {
  async listGrants({ query }, context) {
    const page = await grants.listOfUser(context.db, ownerOf(context), { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(row => presentGrant(context, row)) }
  },

  async deleteGrant({ params }, context) {
    const { userId, sso } = ownerOf(context)
    await context.transaction(async tx => {
      const grant = await grants.find(tx, params.oauthGrantId)
      if (!grant || grant.userId !== userId || (sso !== undefined && grant.ssoOrganization !== sso)) return
      await endGrant(tx, grant, 'user')
    })
    return undefined
  },

  async listSessions({ query }, context) {
    const page = await sessions.list(context.db, ownerOf(context), { ...query, cursorKey: context.cursorKey() })
    return { ...page, items: page.items.map(presentSession) }
  },

  async deleteSession({ params }, context) {
    await context.transaction(tx => endSession(tx, params.sessionId, ownerOf(context)))
    return undefined
  },

  async listOrganizationGrants({ params, query }, context) {
    requireMembership(context.actor, params.organizationId, canAdminister)
    const request = { ...query, cursorKey: context.cursorKey() }
    const page = await listOrganizationGrants(context.db, params.organizationId, request)
    return { ...page, items: page.items.map(row => presentGrant(context, row)) }
  },

  async deleteOrganizationGrant({ params }, context) {
    const { organizationId: organization, oauthGrantId } = params
    requireMembership(context.actor, organization, canAdminister)
    await context.transaction(async tx => {
      await requireCurrentMembership(tx, context.actor, { organization, can: canAdminister })
      const grant = await grants.find(tx, oauthGrantId)
      if (!grant || (grant.ssoOrganization ?? organization) !== organization) return
      if (!(await members.find(tx, { organization, userId: grant.userId }))) return
      await endGrant(tx, grant, 'admin')
    })
    return undefined
  },

  async listOAuthClients({ params, query }, context) {
    requireMembership(context.actor, params.organizationId, canAdminister)
    const request = { ...query, cursorKey: context.cursorKey() }
    const page = await clients.list(context.db, params.organizationId, request)
    return { ...page, items: page.items.map(row => presentClient(context, row)) }
  },

  async createOAuthClient({ params: { organizationId: organization }, body }, context) {
    requireMembership(context.actor, organization, canAdminister)
    const { row, secret } = newClient({ organization, ...body }, context.signingSecret)
    await context.transaction(async tx => {
      await requireCurrentMembership(tx, context.actor, { organization, can: canAdminister })
      await clients.insert(tx, row)
      tx.record(recorded('oauth-client.created', { organization, oauthClient: row.id }))
    })
    return { ...presentClient(context, row), ...(secret !== undefined && { clientSecret: secret }) }
  },

  async deleteOAuthClient({ params: { organizationId: organization, oauthClientId: oauthClient } }, context) {
    requireMembership(context.actor, organization, canAdminister)
    await context.transaction(async tx => {
      await requireCurrentMembership(tx, context.actor, { organization, can: canAdminister })
      if (!(await clients.remove(tx, { organization, id: oauthClient }))) return
      for (const grant of await grants.listOfClient(tx, oauthClient)) await endGrant(tx, grant, 'client')
      tx.record(recorded('oauth-client.deleted', { organization, oauthClient }))
    })
    return undefined
  },
})

/** With a token of a single sign-on, users see what came from that one alone. */
function ownerOf({ actor: { userId, sso } }: Context): grants.GrantOwner {
  return { userId, sso }
}

function presentClient({ publicUrl }: Context, row: OAuthClientRow) {
  return {
    object: 'oauth-client' as const,
    id: row.id,
    name: row.name,
    type: row.type,
    redirectURIs: row.redirectUris,
    createdAt: row.createdAt.toISOString(),
    urls: { location: `${publicUrl}/v1/orgs/${row.organizationId}/oauth-clients` },
  }
}

function presentGrant({ publicUrl }: Context, row: grants.GrantView) {
  const { userId, email, displayName, photoUrl } = row
  return {
    object: 'oauth-grant' as const,
    id: row.id,
    program: { id: row.clientId, name: row.clientName, ...(row.clientHost !== null && { host: row.clientHost }) },
    user: presentUser({ id: userId, email, displayName, photoUrl }, publicUrl),
    scopes: row.scopes as TokenScope[],
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    ...(row.lastUsedAt && { lastUsedAt: row.lastUsedAt.toISOString() }),
  }
}

function presentSession(row: OAuthSessionRow) {
  return {
    object: 'session' as const,
    id: row.uid,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    ...(row.userAgent !== null && { userAgent: row.userAgent }),
  }
}
