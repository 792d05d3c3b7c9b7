import { bulkSiteRedirects } from '@recto/contracts-publishing'
import { recorded } from '@recto/contracts-shared'
import { changedFields, createId, feature, type Input } from '@recto/operation'
import type { BaseContext } from '../shared/context.ts'
import { requireManagedSite, updateSite } from '../sites/update-site.ts'
import { type BulkChange, type BulkPlan, planBulk } from './bulk-redirects.rules.ts'
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
    return updateSite(context, params, async (tx, { site: { id: siteId }, place }) => {
      const sources = new Set(changes.map(({ source }) => source))
      const rows = await repository.findBySources(tx, siteId, [...sources])
      const { results, ...plan } = planBulk(rows, changes, { siteId, now: new Date(), createId })
      await repository.saveAll(tx, siteId, plan)
      const details = countChanges(rows, plan)
      if (details.saved + details.deleted > 0) tx.record(recorded('site.redirects.updated', { ...place, details }))
      return { results }
    })
  },
})

function countChanges(before: readonly RedirectRow[], { saved, deletedIds }: Pick<BulkPlan, 'saved' | 'deletedIds'>) {
  const rows = new Map(before.map(row => [row.id, row]))
  const changed = saved.filter(row => changedFields(rows.get(row.id) ?? {}, row, ['updatedAt']).length > 0)
  return { saved: changed.length, deleted: deletedIds.length }
}

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
