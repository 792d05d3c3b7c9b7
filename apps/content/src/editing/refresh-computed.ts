import { contentEvents } from '@recto/contracts-content-bus'
import type { openApiSpecCalls } from '@recto/contracts-openapi-specs-bus'
import type { Db, Transaction } from '@recto/database'
import type { Client } from '@recto/operation'
import type { SpaceRow } from '../resources/space.entity.ts'
import * as spaces from '../resources/spaces.repository.ts'
import { loadPageIndex } from '../pages/revision-index.ts'
import { lockContent } from '../content-store/content-lock.repository.ts'
import type { ComputedSource } from '../revisions/records.ts'
import type { RevisionRow } from '../revisions/revision.entity.ts'
import * as revisions from '../revisions/revisions.repository.ts'
import { advanceMain, writeRevision } from './write-revision.ts'
import { areCurrent, declarationOf, loadSources, type Declaration } from '../computed-pages/compute-map.ts'
import type { SpecOutline } from '../computed-pages/computed-text.rules.ts'
import type { SpecName } from '../computed-pages/specifications.repository.ts'
import * as specifications from '../computed-pages/specifications.repository.ts'

/** Calls of the service that owns specifications. */
export type SpecCalls = Client<typeof openApiSpecCalls>

/** The last version of a specification, as openapi-specs has it. */
export interface LatestSpecification extends SpecName {
  /** Undefined when there is no such specification. */
  specification?: { version: string; outline: SpecOutline } | undefined
}

/** Fetches the last version of a specification, so that the order of events does not matter. It must be called outside a transaction. */
export async function fetchLatestSpecification(specs: SpecCalls, name: SpecName): Promise<LatestSpecification> {
  const { organizationId, slug } = name
  const { versions } = await specs.describeVersions({ body: { organization: organizationId, slugs: [slug] } })
  return { ...name, specification: versions[0] }
}

/** Fetches the specifications that a space's main content names and that are not recorded, since their events came before. */
export async function fetchUnknownSpecifications(
  db: Db,
  spaceId: string,
  specs: SpecCalls,
): Promise<LatestSpecification[]> {
  const main = await declaringMain(db, spaceId)
  const { unknown } = main ? await compareVersions(db, main) : { unknown: [] }
  const latestSpecifications: LatestSpecification[] = []
  for (const name of unknown) latestSpecifications.push(await fetchLatestSpecification(specs, name))
  return latestSpecifications
}

/** Records the last version of a specification, or that it is gone; resolves to false when nothing changed. */
export async function recordSpecification(
  tx: Transaction,
  { specification, organizationId, slug }: LatestSpecification,
): Promise<boolean> {
  const name = { organizationId, slug }
  await specifications.lock(tx, name)
  const recorded = (await specifications.findVersions(tx, organizationId, [slug])).get(slug)
  if (recorded === specification?.version) return false
  if (specification)
    await specifications.save(tx, { ...name, version: specification.version, outline: specification.outline })
  else await specifications.remove(tx, name)
  return true
}

/**
 * Brings the computed pages of a space's main content to the last versions of their specifications, as a new revision of type `computed`:
 * revisions never change, so caches of them stay valid. Does nothing when the pages are current. Resolves to `again` when main content by
 * now names a specification that was not fetched.
 */
export async function refreshComputed(
  tx: Transaction,
  spaceId: string,
  latestSpecifications: LatestSpecification[],
): Promise<'again' | void> {
  const main = await declaringMain(tx, spaceId)
  if (!main) return
  const { organizationId } = main.space
  const isFetched = ({ slug }: SpecName) =>
    latestSpecifications.some(latest => latest.slug === slug && latest.organizationId === organizationId)
  const { unknown } = await compareVersions(tx, main)
  if (!unknown.every(isFetched)) return 'again'
  for (const latest of latestSpecifications) await recordUnknown(tx, latest)
  if ((await compareVersions(tx, main)).isCurrent) return
  await lockContent(tx)
  const space = await spaces.lock(tx, spaceId)
  if (!space || space.deletedAt) return
  const before = space.revision === main.revision.id ? main.revision : await revisions.get(tx, space.revision)
  const { pagesRoot, filesRoot, reusableRoot, variables, configuration } = before
  const to = await writeRevision(tx, before, {
    maps: { pagesRoot, filesRoot, reusableRoot, nodes: new Map() },
    variables,
    configuration,
    type: 'computed',
    git: null,
    createdBy: null,
    declared: await declarationsIn(tx, before),
  })
  await advanceMain(tx, space, { from: before.id, to })
}

/** Records a specification that is not recorded yet, and publishes that, so that it is fetched once more after this transaction. */
async function recordUnknown(tx: Transaction, latest: LatestSpecification): Promise<void> {
  const { organizationId, slug, specification } = latest
  await specifications.lock(tx, { organizationId, slug })
  const recorded = await specifications.findVersions(tx, organizationId, [slug])
  if (!specification || recorded.has(slug)) return
  await recordSpecification(tx, latest)
  await tx.publish(contentEvents.specificationRecorded, { organization: organizationId, slug })
}

/** Whether main content has computed pages of an older version than the recorded one, or declares a specification that is not recorded. */
export async function needsRefresh(tx: Transaction, spaceId: string): Promise<boolean> {
  const main = await declaringMain(tx, spaceId)
  if (!main) return false
  await specifications.lockNames(tx, main.space.organizationId, 'shared')
  const { unknown, isCurrent } = await compareVersions(tx, main)
  return unknown.length > 0 || !isCurrent
}

/** Main content that declares computed pages, with its declarations. */
interface DeclaringMain {
  space: SpaceRow
  revision: RevisionRow
  declared: Declaration[]
  sources: ComputedSource[]
}

async function declaringMain(tx: Db, spaceId: string): Promise<DeclaringMain | undefined> {
  const space = await spaces.find(tx, spaceId)
  const revision = space && !space.deletedAt ? await revisions.find(tx, space.revision) : undefined
  const declared = revision ? await declarationsIn(tx, revision) : []
  if (!space || !revision || declared.length === 0) return undefined
  return { space, revision, declared, sources: await loadSources(tx, revision.computedRoot) }
}

async function declarationsIn(tx: Db, revision: RevisionRow): Promise<Declaration[]> {
  const index = await loadPageIndex(tx, revision)
  return index.hasComputed ? index.inOrder().flatMap(page => declarationOf(page) ?? []) : []
}

/** Compares computed pages with the recorded versions: names that are not recorded, and whether the pages are of the last versions. */
async function compareVersions(
  tx: Db,
  { space: { organizationId }, declared, sources }: DeclaringMain,
): Promise<{ unknown: SpecName[]; isCurrent: boolean }> {
  const slugs = [...new Set(declared.map(({ spec }) => spec))].sort()
  const versions = await specifications.findVersions(tx, organizationId, slugs)
  const unknown = slugs.filter(slug => !versions.has(slug)).map(slug => ({ organizationId, slug }))
  return { unknown, isCurrent: areCurrent(sources, declared, versions) }
}
