import { contentEvents } from '@recto/contracts-content-bus'
import * as specifications from '../computed-pages/specifications.repository.ts'
import { refreshSpecStatus } from '../links/spec-references.repository.ts'
import type { Projector } from '../projection/project-main.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { needsRefresh } from './refresh-computed.ts'

/**
 * Compares what main content names with the specifications that are recorded, once its references are written: a version that was recorded
 * meanwhile did not find them. The lock has one of both see the other. Must be the last projector.
 */
export const followSpecifications: Projector = (tx, { spaceId }) => ({
  async begin() {},
  async write() {},
  async finish() {
    const space = await spaces.find(tx, spaceId)
    if (!space) return
    await specifications.lockNames(tx, space.organizationId, 'shared')
    await refreshSpecStatus(tx, spaceId, [...(await specifications.slugsOf(tx, space.organizationId))])
    if (await needsRefresh(tx, spaceId)) await tx.publish(contentEvents.computedPagesOutdated, { space: spaceId })
  },
})
