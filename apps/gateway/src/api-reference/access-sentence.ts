import { roles, type Role } from '@recto/actor'
import type { EndpointAccess } from '@recto/contracts-shared'
import { groupOf, scopeOf, type Operation } from '@recto/operation'

/** Where a role has to be held, by a part of the path; the first that a path has decides. */
const places = [
  ['/{siteId}', 'on the site'],
  ['/{spaceId}', 'on the space'],
  ['/{collectionId}', 'on the collection'],
  ['/org/{organizationId}/imports', 'on the space'],
  ['/{translationId}', 'on its target'],
  ['/translations-glossary', 'in the organization'],
  ['/translations', 'on the source'],
  ['/{specSlug}', 'in the organization'],
  ['/custom-hostnames/', 'on its site'],
] as const

const conditions: Partial<Record<EndpointAccess['may'], string>> = {
  platform: ', and an administrator of the platform',
  guest: ', and is open to everybody in the organization, guests included',
  teamOwner: ', and an owner of the team or an admin of its organization',
}

/** Who may use an operation of the API. Who may is left to its description where the path does not say what a role is held on. */
export function accessSentence(operation: Operation): string {
  const access = operation.access as EndpointAccess
  if (access.public) return 'Needs no token.'
  const condition = conditionOf(access, operation.route ?? '') ?? ''
  const forVisitors = access.callers?.includes('visitor') ? ' Visitors of a site may use it, too.' : ''
  return `Needs the scope \`${scopeOf(operation)}\` (of the group \`${groupOf(operation)}\`)${condition}.${forVisitors}`
}

function conditionOf({ may, sees }: EndpointAccess, route: string): string | undefined {
  // Who joins an organization is not in it yet.
  if (may === 'guest' && !route.startsWith('GET ')) return undefined
  if (!isRole(may)) return conditions[may]
  const place = sees === 'guest' ? 'in the organization' : places.find(([part]) => route.includes(part))?.[1]
  return place && `, and the role \`${may}\` ${place}`
}

const isRole = (may: EndpointAccess['may']): may is Role => roles.some(role => role === may)
