import type { organizations } from '@recto/contracts-identity'
import type { SiteVisibility } from '@recto/contracts-shared'
import type { Input } from '@recto/operation'
import type { z } from 'zod'
import type { Context } from '../shared/context.ts'

type Request = Input<typeof organizations.createOrganization>
type Preferences = Request['body']['onboardingPreferences']

/** Creates the site that a new organization starts with, in the name of its admin; undefined unless the request wants one. */
export async function createDefaultSite(
  { id: organization, title }: { id: string; title: string },
  { query, onboardingPreferences }: { query: Request['query']; onboardingPreferences: Preferences },
  { actor, publishing }: Context,
): Promise<string | undefined> {
  const { withDefaultSite, openapiUrl } = query
  if (withDefaultSite !== 'true') return undefined
  const memberships = [...actor.memberships, { organization, role: 'admin' as const, teams: [] }]
  const { site } = await publishing.createDefaultSite({
    body: { actor: { ...actor, memberships }, organization, title, openapiUrl, ...startOf(onboardingPreferences) },
  })
  return site
}

/** How the site starts:
 *
 * | preference                     | effect                                |
 * | ------------------------------ | ------------------------------------- |
 * | source `template`, none at all | sample pages                          |
 * | another source                 | no pages: content is brought there    |
 * | audience `protected`           | readers come by share links           |
 * | audience `internal`            | readers log in                        |
 * | another audience, none at all  | the site is public once it is published |
 */
export function startOf(preferences: Preferences): { sample: boolean; visibility: z.output<typeof SiteVisibility> } {
  const { source = null, audience = null } = preferences ?? {}
  const visibility = audience === 'protected' ? 'share-link' : audience === 'internal' ? 'visitor-auth' : 'public'
  return { sample: source === null || source === 'template', visibility }
}
