import { ApiFailure, type ApiClient, type ApiRequest } from '../api/api-client.ts'
import type { Lookup, PublishedSite, SiteLookup, Space } from '../api/types.ts'
import { siteSpacesOf } from '../addresses/site-links.rules.ts'
import { anonymousLookup, openLookup } from './kept-request.rules.ts'
import type { KeptSite, KeptSites } from './kept-sites.ts'
import { isOpenToAll } from './outage.rules.ts'

/** The tools of a check. */
export interface CheckTools {
  sites: KeptSites
  /** Reads as ever; what it reads is kept. */
  read: ApiClient['read']
  signal?: AbortSignal
}

/**
 * Asks the API whether everybody may read a site at each of its addresses, and what it shows now. Addresses that lead elsewhere are taken
 * from it; the site goes with the last one. Throws an `ApiFailure` of status 503 when the API does not answer.
 */
export async function checkSite(site: KeptSite, { sites, read, signal }: CheckTools): Promise<void> {
  site.checkedAt = Date.now()
  site.isDoubtful = false
  const roots = await confirmRoots(site, { sites, read, ...(signal && { signal }) })
  const [lookup] = roots
  if (!lookup) return
  const { organization, apiToken: token } = lookup
  const ask = async <Reply>(path: string) => {
    const request: ApiRequest = { path, query: {}, token, signal }
    return JSON.parse((await read(request)).text) as Reply
  }
  const published = await ask<PublishedSite>(`/orgs/${organization}/sites/${site.id}/published`).catch(unlessRefused)
  if (!published) return
  if (!isOpenToAll(published)) return sites.remove(site)
  const revisions: [string, string][] = []
  for (const id of new Set(siteSpacesOf(published).map(({ space }) => space.id))) {
    const space = await ask<Space>(`/spaces/${id}`).catch(unlessRefused)
    if (space) revisions.push([id, space.revision])
  }
  site.state = JSON.stringify([site.version, revisions])
}

/** Whether the API answers what readers ask: for a site, what it is and a space of it. Throws when it does not answer. */
export async function probeSite(root: string, { read, signal }: Omit<CheckTools, 'sites'>): Promise<void> {
  const ask = async <Reply>(request: ApiRequest) => JSON.parse((await read({ ...request, signal })).text) as Reply
  const lookup = await ask<Lookup>(anonymousLookup(root)).catch(unlessRefused)
  const open = lookup && openLookup(lookup)
  if (!open) return
  const { organization, site, space, apiToken: token } = open
  await ask({ path: `/orgs/${organization}/sites/${site}/published`, query: {}, token }).catch(unlessRefused)
  await ask({ path: `/spaces/${space}`, query: {}, token }).catch(unlessRefused)
}

async function confirmRoots(site: KeptSite, { sites, read, signal }: CheckTools): Promise<SiteLookup[]> {
  const lookups: SiteLookup[] = []
  for (const root of [...site.roots.keys()]) {
    const text = await read({ ...anonymousLookup(root), signal }).then(reply => reply.text, unlessRefused)
    const lookup = text === undefined ? undefined : openLookup(JSON.parse(text) as Lookup)
    if (lookup?.site !== site.id) sites.removeRoot(site, root)
    else {
      sites.confirm(root, lookup, Date.now())
      lookups.push(lookup)
    }
  }
  return lookups
}

/** Resolves to nothing for what the API refuses; throws when it does not answer. */
function unlessRefused(error: unknown): undefined {
  if (error instanceof ApiFailure && [401, 403, 404].includes(error.status)) return undefined
  throw error
}
