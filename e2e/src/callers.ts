import type { EndpointAccess, Who } from '@recto/contracts-shared'
import { atLeast, roles, type Role } from '@recto/actor'
import { aMember, anOrganization, type Person } from './people.ts'
import type { Installation } from './stack.ts'

/** Callers of every operation: without token, an admin of another organization, a guest, each role, and a reader who owns the team. */
export const callers = ['none', 'outsider', 'guest', ...roles, 'owner'] as const

/** One of the callers. */
export type Caller = (typeof callers)[number]

/** Creates a person for each caller with a token, the members in an organization; the owner has no team yet. */
export async function createCallers(
  stack: Installation,
  organization: { id: string; admin: Person },
): Promise<Record<Exclude<Caller, 'none'>, Person>> {
  const member = (role: Role | null) => aMember(stack, organization, role)
  return {
    admin: organization.admin,
    outsider: (await anOrganization(stack)).admin,
    guest: await member(null),
    read: await member('read'),
    comment: await member('comment'),
    edit: await member('edit'),
    review: await member('review'),
    create: await member('create'),
    owner: await member('read'),
  }
}

/** The status that a caller gets from an operation: that of success, or how the caller is refused. */
export function statusFor(
  caller: Caller,
  access: EndpointAccess,
  { route, success }: { route: string; success: number },
): number {
  if (mayUse(caller, access)) return success
  if (caller === 'none' || access.may === 'signer') return 401
  if (isAmong(caller, access.sees)) return 403
  // The organization of the path comes first: outsiders learn nothing about what is in it.
  const isOutside = caller === 'outsider' && route.includes('{organizationId}')
  return access.unseen === 'unaffected' && !isOutside ? success : 404
}

/** Whether an operation serves a caller. */
export function mayUse(caller: Caller, { may }: EndpointAccess): boolean {
  if (may === 'anyone') return true
  return caller !== 'none' && may !== 'signer' && isAmong(caller, may)
}

function isAmong(caller: Exclude<Caller, 'none'>, who: Who): boolean {
  if (who === 'platform') return false
  if (who === 'user') return true
  if (who === 'self') return caller === 'admin'
  if (who === 'teamOwner') return caller === 'owner' || caller === 'admin'
  if (caller === 'outsider') return false
  if (who === 'guest') return true
  const role = caller === 'owner' ? 'read' : caller === 'guest' ? null : caller
  return atLeast(role, who as Role)
}

/** Publishes a site that shows a space, and returns its address. */
export async function aPublishedSite(
  { client: { orgs } }: Person,
  organizationId: string,
  spaceId: string,
): Promise<string> {
  const site = (await orgs.createSite(organizationId, { title: 'Docs', spaces: [spaceId] })).data
  await orgs.publishSite(organizationId, site.id)
  return (await orgs.getSiteById(organizationId, site.id)).data.urls.published ?? ''
}

/** Publishes a site that shows a space, and another one that shows an empty space. */
export async function aPairOfSites(
  admin: Person,
  organizationId: string,
  spaceId: string,
): Promise<{ own: string; other: string }> {
  const other = await admin.client.orgs.createSpace(organizationId, { title: 'Other' } as never)
  return {
    own: await aPublishedSite(admin, organizationId, spaceId),
    other: await aPublishedSite(admin, organizationId, other.data.id),
  }
}
