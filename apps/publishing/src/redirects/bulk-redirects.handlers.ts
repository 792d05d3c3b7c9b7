import { bulkSiteRedirects } from '@recto/contracts-publishing'
import { createId, feature, type Input } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import { requireManagedSite, updateSite } from '../sites/update-site.ts'
import { type BulkChange, planBulk } from './bulk-redirects.rules.ts'
import { canonicalSource } from './canonical-source.rules.ts'
import type { RedirectRow } from './redirect.entity.ts'
import * as repository from './redirects.repository.ts'
import { resolveDestinations } from './resolve-destinations.ts'

export const bulkRedirectFeature = feature<BaseContext>()(bulkSiteRedirects, {
  async bulkUpsertSiteRedirects({ params, body: { redirects } }, context) {
    const managedSite = await requireManagedSite(context, params)
    const fields = redirects.flatMap((redirect, at) =>
      redirect.intent !== 'publish' && redirect.destination
        ? [{ at, field: `body.redirects.${at}.destination`, destination: redirect.destination }]
        : [],
    )
    const resolved = await resolveDestinations(context, managedSite, fields)
    const destinations = new Map(fields.map(({ at }, index) => [at, resolved[index]]))
    const changes = redirects.map((redirect, at) => changeOf(redirect, destinations.get(at)))
    return updateSite(context, params, async (tx, { site: { id: siteId } }) => {
      const sources = new Set(changes.map(({ source }) => source))
      const rows = await repository.findBySources(tx, siteId, [...sources])
      const { results, ...plan } = planBulk(rows, changes, { siteId, now: new Date(), createId })
      await repository.saveAll(tx, siteId, plan)
      return { results }
    })
  },
})

type RedirectInput = Input<typeof bulkSiteRedirects.bulkUpsertSiteRedirects>['body']['redirects'][number]

/** The change that a request means; without a destination it is a deletion. */
function changeOf(redirect: RedirectInput, destination: RedirectRow['destination'] | undefined): BulkChange {
  const source = canonicalSource(redirect.source)
  if (redirect.intent === 'publish') return { source, intent: 'publish' }
  const draft = redirect.intent === 'draft'
  if (!destination) return { source, intent: 'delete', draft }
  const { permanent, captureWildcard } = redirect
  return { source, intent: 'save', draft, permanent, captureWildcard, destination }
}
