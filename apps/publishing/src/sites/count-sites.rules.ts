import type { SiteMember } from '../site-access/site-access.policy.ts'
import type { Subject } from '../site-access/site-grant.entity.ts'

interface Counting {
  sites: readonly { id: string; isOpen: boolean }[]
  grants: readonly (Subject & { siteId: string })[]
}

/** Counts the sites that each member sees: admins all, other members those that are open and those that they were granted, guests the latter. */
export function countSites(members: readonly SiteMember[], { sites, grants }: Counting): Record<string, number> {
  const closed = new Set(sites.filter(({ isOpen }) => !isOpen).map(({ id }) => id))
  const grantedTo = new Map<string, string[]>()
  for (const { subject, subjectId, siteId } of grants) {
    const holder = `${subject} ${subjectId}`
    grantedTo.set(holder, [...(grantedTo.get(holder) ?? []), siteId])
  }
  const count = ({ user, role, teams }: SiteMember): number => {
    if (role === 'admin') return sites.length
    const holders = [`user ${user}`, ...teams.map(team => `team ${team}`)]
    const siteIds = new Set(holders.flatMap(holder => grantedTo.get(holder) ?? []))
    if (role === null) return siteIds.size
    return sites.length - closed.size + [...siteIds].filter(id => closed.has(id)).length
  }
  return Object.fromEntries(members.map(member => [member.user, count(member)]))
}
