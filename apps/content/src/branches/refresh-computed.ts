import type { openApiSpecCalls } from '@recto/contracts'
import type { Transaction } from '@recto/database'
import type { Client } from '@recto/operation'
import * as spaces from '../hierarchy/spaces/spaces.repository.ts'
import { loadPageIndex } from '../pages/revision-index.ts'
import { loadComputed } from '../pages/shown-pages.ts'
import { lockContent } from '../store/content/content-lock.repository.ts'
import * as revisions from '../store/revisions/revisions.repository.ts'
import { advanceMain, writeRevision } from './write-revision.ts'
import { declarationOf, isCurrent } from './computed/compute-map.ts'
import type { SpecName } from './computed/specifications.repository.ts'
import * as specifications from './computed/specifications.repository.ts'

/** Calls of the service that owns specifications. */
export type SpecCalls = Client<typeof openApiSpecCalls>

/** Records the last version of a specification, or that it is gone: it is asked for, so that the order of events does not matter. Resolves to whether there is one. */
export async function followSpecification(tx: Transaction, name: SpecName, specs: SpecCalls): Promise<boolean> {
  const { organizationId, slug } = name
  await specifications.lock(tx, name)
  const { versions } = await specs.describeVersions({ body: { organization: organizationId, slugs: [slug] } })
  const [found] = versions
  if (found) await specifications.save(tx, { ...name, version: found.version, outline: found.outline })
  else await specifications.remove(tx, name)
  return found !== undefined
}

/**
 * Brings the computed pages of a space's main content to the last versions of what they come from, as a new revision of type `computed`:
 * revisions never change, and neither does what is cached of them. Does nothing when they are current.
 */
export async function refreshComputed(tx: Transaction, spaceId: string, specs: SpecCalls): Promise<void> {
  const outdated = await outdatedSpecs(tx, spaceId)
  if (!outdated) return
  // What was made before events of it were heard is asked for.
  for (const name of outdated.unknown) await followSpecification(tx, name, specs)
  if (!(await outdatedSpecs(tx, spaceId))?.isOutdated) return
  await lockContent(tx)
  const space = await spaces.lock(tx, spaceId)
  if (!space || space.deletedAt) return
  const before = await revisions.get(tx, space.revision)
  const { pagesRoot, filesRoot, reusableRoot, variables, configuration } = before
  const to = await writeRevision(tx, before, {
    ...{ maps: { pagesRoot, filesRoot, reusableRoot, nodes: new Map() }, variables, configuration },
    ...{ type: 'computed', git: null, createdBy: null },
  })
  await advanceMain(tx, spaceId, { from: before.id, to })
}

/** Whether computed pages of main content are not those of the last versions, as far as those are known, or declare what nothing is known of. */
export async function needsRefresh(tx: Transaction, spaceId: string): Promise<boolean> {
  const space = await spaces.find(tx, spaceId)
  const revision = space && (await revisions.find(tx, space.revision))
  if (!revision || !(await loadPageIndex(tx, revision)).hasComputed) return false
  await specifications.lockNames(tx, space.organizationId, 'shared')
  const outdated = await outdatedSpecs(tx, spaceId)
  return outdated !== undefined && (outdated.isOutdated || outdated.unknown.length > 0)
}

/** The specifications that main content names and that nothing is known of, and whether its computed pages are outdated; undefined when it has none. */
async function outdatedSpecs(
  tx: Transaction,
  spaceId: string,
): Promise<{ unknown: SpecName[]; isOutdated: boolean } | undefined> {
  const space = await spaces.find(tx, spaceId)
  const revision = space && !space.deletedAt ? await revisions.find(tx, space.revision) : undefined
  if (!space || !revision) return undefined
  const index = await loadPageIndex(tx, revision)
  if (!index.hasComputed) return undefined
  const declared = index.inOrder().flatMap(page => declarationOf(page) ?? [])
  const { organizationId } = space
  const slugs = [...new Set(declared.map(({ spec }) => spec))]
  const versions = await specifications.findVersions(tx, organizationId, slugs)
  const sources = (await loadComputed(tx, revision.computedRoot)).filter(entry => entry.type === 'source')
  const unknown = slugs.filter(slug => !versions.has(slug)).map(slug => ({ organizationId, slug }))
  return { unknown, isOutdated: !isCurrent(sources, declared, versions) }
}
