import { recorded } from '@recto/contracts-shared'
import { changedFields, type RecordEntry } from '@recto/operation'
import type { Structure } from '../structure/structure.rules.ts'
import type { SiteRow } from './site.entity.ts'

/** A site with the hostname that it waits for, and its structure. */
interface SiteState {
  site: SiteRow & { pendingHostname?: string | null }
  structure: Structure
}

interface Place {
  organization: string
  site: string
}

/** Fields of a site whose changes have a type of their own, and those that follow from other changes. */
const notSettings =
  'hostname pendingHostname published defaultLevel favicon version changedAt closedVersion closedAt updatedAt'.split(
    ' ',
  )

/** The changes between two states of a site and its structure, as they are recorded. A new site has nothing before. */
export function changesOfSite(before: SiteState | undefined, after: SiteState): RecordEntry[] {
  const { id: site, organizationId: organization } = after.site
  const place = { organization, site }
  if (before)
    return [
      ...changesOfSettings(before.site, after.site, place),
      ...changesOfStructure(before.structure, after.structure, place),
    ]
  const spaces = after.structure.siteSpaces.length
  return [recorded('site.created', { ...place, details: { spaces } })]
}

function changesOfSettings(before: SiteState['site'], after: SiteState['site'], place: Place): RecordEntry[] {
  const { published, defaultLevel, hostname, pendingHostname = null } = after
  const fields = changedFields(before, after, notSettings)
  const isSameHostname = hostname === before.hostname && pendingHostname === (before.pendingHostname ?? null)
  const details = { hasHostname: hostname !== null, isPending: pendingHostname !== null }
  return [
    ...(fields.length === 0 ? [] : [recorded('site.updated', { ...place, details: { fields } })]),
    ...(isSameHostname ? [] : [recorded('site.hostname.updated', { ...place, details })]),
    ...(defaultLevel === before.defaultLevel
      ? []
      : [recorded('site.permissions.updated', { ...place, details: { defaultLevel } })]),
    ...(published === before.published ? [] : [recorded(published ? 'site.published' : 'site.unpublished', place)]),
  ]
}

function changesOfStructure(before: Structure, after: Structure, place: Place): RecordEntry[] {
  return [
    ...changesOfRows(before.groups, after.groups, (change, id, details) =>
      recorded(`site.section-group.${change}`, { ...place, siteSectionGroup: id, details }),
    ),
    ...changesOfRows(before.sections, after.sections, (change, id, details) =>
      recorded(`site.section.${change}`, { ...place, siteSection: id, details }),
    ),
    ...changesOfRows(before.siteSpaces, after.siteSpaces, (change, id, details) =>
      recorded(`site.space.${change}`, { ...place, siteSpace: id, details }),
    ),
    ...changesOfRows(before.externalLinks, after.externalLinks, (change, id, details) =>
      recorded(`site.external-link.${change}`, { ...place, siteExternalLink: id, details }),
    ),
  ]
}

interface Row {
  id: string
}

type RecordOf = (change: 'added' | 'updated' | 'removed', id: string, details?: { fields: string[] }) => RecordEntry

function changesOfRows(before: readonly Row[], after: readonly Row[], recordOf: RecordOf): RecordEntry[] {
  const rowsBefore = new Map(before.map(row => [row.id, row]))
  const idsAfter = new Set(after.map(({ id }) => id))
  const removed = before.filter(({ id }) => !idsAfter.has(id)).map(({ id }) => recordOf('removed', id))
  const others = after.flatMap(row => {
    const rowBefore = rowsBefore.get(row.id)
    if (!rowBefore) return [recordOf('added', row.id)]
    const fields = row === rowBefore ? [] : changedFields(rowBefore, row, ['deletionChangedAt'])
    return fields.length === 0 ? [] : [recordOf('updated', row.id, { fields })]
  })
  return [...removed, ...others]
}
