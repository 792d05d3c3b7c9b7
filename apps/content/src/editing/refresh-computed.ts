import type { openApiSpecCalls } from '@recto/contracts-openapi-specs-bus'
import type { Transaction } from '@recto/database'
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
import type { SpecName } from '../computed-pages/specifications.repository.ts'
import * as specifications from '../computed-pages/specifications.repository.ts'

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
  const main = await declaringMain(tx, spaceId)
  if (!main) return
  const { unknown, isCurrent } = await comparedVersions(tx, main)
  // Specifications whose events came before main content named them are asked for.
  for (const name of unknown) await followSpecification(tx, name, specs)
  if (unknown.length > 0 ? (await comparedVersions(tx, main)).isCurrent : isCurrent) return
  await lockContent(tx)
  const space = await spaces.lock(tx, spaceId)
  if (!space || space.deletedAt) return
  const before = space.revision === main.revision.id ? main.revision : await revisions.get(tx, space.revision)
  const { pagesRoot, filesRoot, reusableRoot, variables, configuration } = before
  const to = await writeRevision(tx, before, {
    ...{ maps: { pagesRoot, filesRoot, reusableRoot, nodes: new Map() }, variables, configuration },
    ...{ type: 'computed', git: null, createdBy: null, declared: await declarationsIn(tx, before) },
  })
  await advanceMain(tx, spaceId, { from: before.id, to })
}

/** Whether computed pages of main content are not those of the last versions, as far as those are known, or declare what nothing is known of. */
export async function needsRefresh(tx: Transaction, spaceId: string): Promise<boolean> {
  const main = await declaringMain(tx, spaceId)
  if (!main) return false
  await specifications.lockNames(tx, main.space.organizationId, 'shared')
  const { unknown, isCurrent } = await comparedVersions(tx, main)
  return unknown.length > 0 || !isCurrent
}

/** Main content that declares computed pages. */
interface DeclaringMain {
  space: SpaceRow
  revision: RevisionRow
  declared: Declaration[]
  sources: ComputedSource[]
}

/** The main content of a space, if it declares computed pages. */
async function declaringMain(tx: Transaction, spaceId: string): Promise<DeclaringMain | undefined> {
  const space = await spaces.find(tx, spaceId)
  const revision = space && !space.deletedAt ? await revisions.find(tx, space.revision) : undefined
  const declared = revision ? await declarationsIn(tx, revision) : []
  if (!space || !revision || declared.length === 0) return undefined
  return { space, revision, declared, sources: await loadSources(tx, revision.computedRoot) }
}

async function declarationsIn(tx: Transaction, revision: RevisionRow): Promise<Declaration[]> {
  const index = await loadPageIndex(tx, revision)
  return index.hasComputed ? index.inOrder().flatMap(page => declarationOf(page) ?? []) : []
}

/** The names in main content of which nothing is known, and whether its computed pages are those of the last known versions. */
async function comparedVersions(
  tx: Transaction,
  { space: { organizationId }, declared, sources }: DeclaringMain,
): Promise<{ unknown: SpecName[]; isCurrent: boolean }> {
  const slugs = [...new Set(declared.map(({ spec }) => spec))]
  const versions = await specifications.findVersions(tx, organizationId, slugs)
  const unknown = slugs.filter(slug => !versions.has(slug)).map(slug => ({ organizationId, slug }))
  return { unknown, isCurrent: areCurrent(sources, declared, versions) }
}
