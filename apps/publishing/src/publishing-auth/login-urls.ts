import type { Site } from '@recto/contracts-publishing'
import type { Db } from '@recto/database'
import type { z } from 'zod'
import * as siteAuth from './site-auth.repository.ts'

type Presented = z.input<typeof Site>

/** Sites with where their visitors log in, and where they go after they signed out: readers lead there. */
export async function withLoginUrls<Sites extends Presented>(db: Db, sites: readonly Sites[]): Promise<Sites[]> {
  const rows = await siteAuth.findAll(
    db,
    sites.map(({ id }) => id),
  )
  const bySite = new Map(rows.map(row => [row.siteId, row]))
  return sites.map(site => {
    const { fallbackUrl: login = null, logoutUrl: logout = null } = bySite.get(site.id) ?? {}
    return { ...site, urls: { ...site.urls, ...(login !== null && { login }), ...(logout !== null && { logout }) } }
  })
}
