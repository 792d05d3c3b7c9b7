import { recorded } from '@recto/contracts-shared'
import {
  columnsOf,
  type Db,
  listPage,
  type ListPage,
  type ListRequest,
  mapConstraintErrors,
  newestFirst,
  query,
  type Transaction,
} from '@recto/database'
import { stateJobs, type JobTable } from '@recto/jobs'
import { createId } from '@recto/operation'
import { In } from 'typeorm'
import { SpecEntity, type SpecRow } from './spec.entity.ts'
import { SpecTextEntity } from './spec-text.entity.ts'
import { noSuchSpec } from './specs.policy.ts'
import { dueAt, leaseLength, maxAttempts } from './specs.rules.ts'

const columns = columnsOf(SpecEntity, 'openapi_specs')

const taken = { openapi_specs_slug: { code: 'conflict' as const, message: 'body.slug: is taken' } }

/** The name of a specification. */
export interface SpecName {
  organizationId: string
  specSlug: string
}

/** A specification by its organization and slug. */
export async function find(db: Db, { organizationId, specSlug: slug }: SpecName): Promise<SpecRow | undefined> {
  return (await db.findOneBy(SpecEntity, { organizationId, slug })) ?? undefined
}

/** A specification by its organization and slug; throws `not_found`. */
export async function get(db: Db, name: SpecName): Promise<SpecRow> {
  const spec = await find(db, name)
  if (!spec) throw noSuchSpec()
  return spec
}

/** Reads a specification and locks it until the transaction ends. */
export async function lock(db: Db, { organizationId, specSlug: slug }: SpecName): Promise<SpecRow | undefined> {
  const spec = await db.findOne(SpecEntity, {
    where: { organizationId, slug },
    lock: { mode: 'pessimistic_write' },
  })
  return spec ?? undefined
}

/** As `lock`, by id. */
export async function lockById(db: Db, id: string): Promise<SpecRow | undefined> {
  return (await db.findOne(SpecEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })) ?? undefined
}

/** The specifications of an organization, the newest first. */
export async function list(db: Db, organizationId: string, request: ListRequest): Promise<ListPage<SpecRow>> {
  const sql = `select ${columns} from openapi_specs where organization_id = $1`
  return listPage<SpecRow>(db, { sql, values: [organizationId], ...newestFirst }, request)
}

/** Writes and records a new specification; throws `conflict` when the organization has one with its slug. */
export async function insert(tx: Transaction, spec: SpecRow, text: string | undefined): Promise<void> {
  await mapConstraintErrors(taken, () => tx.insert(SpecEntity, spec))
  await setText(tx, spec.id, text)
  const { organizationId: organization, id: openapiSpec } = spec
  const details = { source: text === undefined ? 'url' : 'text' }
  tx.record(recorded('openapi-spec.created', { organization, openapiSpec, details }))
}

/** Changes a specification. */
export async function update(db: Db, id: string, changes: Partial<SpecRow>): Promise<void> {
  await db.update(SpecEntity, { id }, changes)
}

/** Sets the text that a specification comes from; undefined for one that comes from a URL. Returns whether it is another one. */
export async function setText(db: Db, specId: string, text: string | undefined): Promise<boolean> {
  const deletion = db.createQueryBuilder().delete().from(SpecTextEntity).where({ specId })
  const { raw } = await deletion.returning('text').execute()
  if (text !== undefined) await db.insert(SpecTextEntity, { specId, text })
  return (raw as { text: string }[])[0]?.text !== text
}

/** The text that a specification comes from. */
export async function textOf(db: Db, specId: string): Promise<string | undefined> {
  return (await db.findOneBy(SpecTextEntity, { specId }))?.text
}

/** Deletes a specification with its versions. */
export async function remove(db: Db, id: string): Promise<void> {
  await db.delete(SpecEntity, { id })
}

const states = stateJobs<SpecRow>({
  entity: SpecEntity,
  waiting: 'pending',
  running: 'progress',
  leaseMs: leaseLength,
  maxAttempts,
  dueAt: 'job.due_at',
  open: 'job.due_at is not null',
  group: 'job.organization_id',
})

/** Specifications as jobs. An id names the attempt, since a change of the source begins to count anew. */
export const specJobs: JobTable<SpecRow> = {
  ...states,
  take: (spec, now) => ({ ...states.take(spec, now), lease: createId() }),
  release: (spec, { now, isCounted }) => ({ ...dueAt(now), attempts: spec.attempts - (isCounted ? 0 : 1) }),
  heldBy: ({ id, lease }) => ({ id, lease: lease ?? '' }),
}

/** Serializes the creation of a slug until the transaction ends: of two at once, the second finds what the first made. */
export async function lockSlug(db: Db, { organizationId, specSlug }: SpecName): Promise<void> {
  await query(db, 'select pg_advisory_xact_lock(hashtextextended($1, 1))', [`${organizationId} ${specSlug}`])
}

/** The specifications of an organization that have these slugs. */
export async function findAll(db: Db, organizationId: string, slugs: string[]): Promise<SpecRow[]> {
  return db.findBy(SpecEntity, { organizationId, slug: In(slugs) })
}
