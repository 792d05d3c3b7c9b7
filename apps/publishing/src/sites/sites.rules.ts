import { siteLimits } from '@recto/contracts-publishing'
import { createId } from '@recto/operation'
import { slugSet } from '@recto/repository-format'
import type { SiteRow } from './site.entity.ts'

/** Longest label of a hostname (RFC 1035), less room for a number that makes it unique. */
const maxBasenameLength = 55
const titleWithoutSpaces = 'Docs'
const maxSpaceTitle = 50

/** The title of a new site: that of the request, else that of its first space if it is long enough, else a default. */
export function titleOfSite(title: string | undefined, firstSpace: string | undefined): string {
  if (title !== undefined) return title
  const length = [...(firstSpace ?? '')].length
  return firstSpace !== undefined && length >= siteLimits.minTitle ? firstSpace : titleWithoutSpaces
}

/** The title of a space that is made for a site with a title, if it has one. */
export function titleOfNewSpace(title: string | undefined): string {
  return [...titleOfSite(title, undefined)].slice(0, maxSpaceTitle).join('')
}

/** The part of a hostname that a title becomes: lower-case letters, digits and `-`. */
export function basenameOf(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  const name = (words ?? []).join('-').slice(0, maxBasenameLength).replace(/-$/, '')
  return name === '' ? 'docs' : name
}

/** A basename that no other site has: the second of a kind ends in `-1`. */
export function freeBasename(basename: string, taken: readonly string[]): string {
  return slugSet(taken)(basename)
}

/** A new site, which is not published. */
export function newSite(
  site: Pick<SiteRow, 'organizationId' | 'type' | 'title' | 'basename' | 'visibility' | 'createdBy'>,
): SiteRow {
  const now = new Date()
  return {
    id: createId(),
    ...site,
    hostname: null,
    proxy: null,
    defaultLevel: 'inherit',
    published: false,
    adaptiveContent: false,
    agentsContext: 'included',
    version: 0,
    changedAt: now,
    closedVersion: 0,
    closedAt: now,
    createdAt: now,
    updatedAt: now,
  }
}
