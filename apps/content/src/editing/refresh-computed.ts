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

/** The answer of the service of specifications about a name. */
export interface SpecificationAnswer extends SpecName {
  /** Its last version; undefined when there is no such specification. */
  specification?: { version: string; outline: SpecOutline } | undefined
}

/** Fetches the latest version of a specification, so that the order of events does not matter. It must be called outside a transaction. */
export async function fetchLatestSpecification(specs: SpecCalls, name: SpecName): Promise<SpecificationAnswer> {
  const { organizationId, slug } = name
  const { versions } = await specs.describeVersions({ body: { organization: organizationId, slugs: [slug] } })
  return { ...name, specification: versions[0] }
}

/** Asks for the specifications that main content of a space names and of which nothing is recorded: their events came before. */
export async function askForUnknown(db: Db, spaceId: string, specs: SpecCalls): Promise<SpecificationAnswer[]> {
  const main = await declaringMain(db, spaceId)
  const { unknown } = main ? await comparedVersions(db, main) : { unknown: [] }
  const answers: SpecificationAnswer[] = []
  for (const name of unknown) answers.push(await fetchLatestSpecification(specs, name))
  return answers
}

/** Records the last version of a specification, or that it is gone; resolves to false when that is what is recorded. */
export async function recordSpecification(
  tx: Transaction,
  { specification, organizationId, slug }: SpecificationAnswer,
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
 * Brings the computed pages of a space's main content to the last versions of what they come from, as a new revision of type `computed`:
 * revisions never change, and neither does what is cached of them. Does nothing when they are current. Resolves to `again` when main content
 * names a specification by now that was not asked for.
 */
export async function refreshComputed(
  tx: Transaction,
  spaceId: string,
  answers: SpecificationAnswer[],
): Promise<'again' | void> {
  const main = await declaringMain(tx, spaceId)
  if (!main) return
  const { organizationId } = main.space
  const isAsked = ({ slug }: SpecName) =>
    answers.some(answer => answer.slug === slug && answer.organizationId === organizationId)
  const { unknown } = await comparedVersions(tx, main)
  if (!unknown.every(isAsked)) return 'again'
  for (const answer of answers) await recordUnknown(tx, answer)
  if ((await comparedVersions(tx, main)).isCurrent) return
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

/** Records a specification of which nothing is recorded yet; whether it is still there is asked again behind this transaction. */
async function recordUnknown(tx: Transaction, answer: SpecificationAnswer): Promise<void> {
  const { organizationId, slug, specification } = answer
  await specifications.lock(tx, { organizationId, slug })
  const recorded = await specifications.findVersions(tx, organizationId, [slug])
  if (!specification || recorded.has(slug)) return
  await recordSpecification(tx, answer)
  await tx.publish(contentEvents.specificationRecorded, { organization: organizationId, slug })
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

/** The names in main content of which nothing is known, and whether its computed pages are those of the last known versions. */
async function comparedVersions(
  tx: Db,
  { space: { organizationId }, declared, sources }: DeclaringMain,
): Promise<{ unknown: SpecName[]; isCurrent: boolean }> {
  const slugs = [...new Set(declared.map(({ spec }) => spec))].sort()
  const versions = await specifications.findVersions(tx, organizationId, slugs)
  const unknown = slugs.filter(slug => !versions.has(slug)).map(slug => ({ organizationId, slug }))
  return { unknown, isCurrent: areCurrent(sources, declared, versions) }
}
