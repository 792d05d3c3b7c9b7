import { contentEvents } from '@recto/contracts-content-bus'
import * as specifications from '../computed-pages/specifications.repository.ts'
import { updateSpecStatus } from '../links/spec-references.repository.ts'
import type { Projector } from '../projection/project-main.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { needsRefresh } from './refresh-computed.ts'

/**
 * Follows what was recorded of specifications since the projection began: it did not find the references that are only written now. The
 * lock has one of both see the other. Must be the last projector.
 */
export const followSpecifications: Projector = (tx, { spaceId, specs }) => ({
  async begin() {},
  async write() {},
  async finish() {
    const space = await spaces.find(tx, spaceId)
    if (!space) return
    await specifications.lockNames(tx, space.organizationId, 'shared')
    const recorded = await specifications.slugsOf(tx, space.organizationId)
    for (const slug of new Set([...specs, ...recorded])) {
      if (specs.has(slug) === recorded.has(slug)) continue
      await updateSpecStatus(tx, { spaces: [spaceId], slug, status: recorded.has(slug) ? 'ok' : 'broken' })
    }
    if (await needsRefresh(tx, spaceId)) await tx.publish(contentEvents.computedPagesOutdated, { space: spaceId })
  },
})
