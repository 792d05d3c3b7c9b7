import { z } from 'zod'

/** Who can read a published site, in ascending order of openness. */
export const siteVisibilities = ['visitor-auth', 'share-link', 'unlisted', 'public'] as const

/** Who can read a published site. */
export const SiteVisibility = z
  .enum(siteVisibilities)
  .meta({ id: 'SiteVisibility', description: 'Who can read a published site' })
