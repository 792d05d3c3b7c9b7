import {
  columnsOf,
  type Db,
  listPage,
  type ListPage,
  type ListRequest,
  mapConstraintErrors,
  newestFirst,
  query,
  untilEarliest,
} from '@recto/database'
import { In } from 'typeorm'
import { SpecEntity, type SpecRow } from './spec.entity.ts'
import { SpecTextEntity } from './spec-text.entity.ts'
import { noSuchSpec } from './specs.policy.ts'

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

/** Writes a new specification; throws `conflict` when the organization has one with its slug. */
export async function insert(db: Db, spec: SpecRow, text: string | undefined): Promise<void> {
  await mapConstraintErrors(taken, () => db.insert(SpecEntity, spec))
  await setText(db, spec.id, text)
}

/** Changes a specification. */
export async function update(db: Db, id: string, changes: Partial<SpecRow>): Promise<void> {
  await db.update(SpecEntity, { id }, changes)
}

/** Sets the text that a specification comes from; undefined for one that comes from a URL. */
export async function setText(db: Db, specId: string, text: string | undefined): Promise<void> {
  await db.delete(SpecTextEntity, { specId })
  if (text !== undefined) await db.insert(SpecTextEntity, { specId, text })
}

/** The text that a specification comes from. */
export async function textOf(db: Db, specId: string): Promise<string | undefined> {
  return (await db.findOneBy(SpecTextEntity, { specId }))?.text
}

/** Deletes a specification with its versions. */
export async function remove(db: Db, id: string): Promise<void> {
  await db.delete(SpecEntity, { id })
}

/**
 * Locks specifications that are due, and on which nobody works; those that another process takes at this time are passed over.
 * Organizations take turns: one with many slow sources does not keep the others waiting. The row that is locked is checked again, since
 * another process may have taken it after the turns were counted.
 */
export async function lockDue(db: Db, { silence, limit }: { silence: number; limit: number }): Promise<SpecRow[]> {
  const idle = `(state <> 'progress' or heartbeat_at < now() - make_interval(secs => $1::float8 / 1000))`
  return query<SpecRow>(
    db,
    `with running as (
       select organization_id, count(*) as count from openapi_specs
       where due_at <= now() and not ${idle} group by organization_id),
     turns as (
       select id, coalesce(running.count, 0) + row_number() over (partition by organization_id order by due_at) as turn
       from openapi_specs left join running using (organization_id) where due_at <= now() and ${idle})
     select ${columns} from openapi_specs join turns on turns.id = openapi_specs.id
     where due_at <= now() and ${idle}
     order by turn, due_at limit $2 for update of openapi_specs skip locked`,
    [silence, limit],
  )
}

/** Milliseconds until a specification is due, or the lease of one ends. */
export async function untilDue(db: Db, silence: number): Promise<number> {
  const leased = 'greatest(due_at, heartbeat_at + make_interval(secs => $1::float8 / 1000))'
  const times = `select case state when 'progress' then ${leased} else due_at end from openapi_specs where due_at is not null`
  return untilEarliest(db, times, [silence])
}

/** A specification on which an attempt works. */
export type LeasedSpec = SpecRow & { lease: string }

/** Changes a specification on which this attempt works; false when it does not any more. */
export async function updateLeased(
  db: Db,
  { id, lease }: Pick<LeasedSpec, 'id' | 'lease'>,
  changes: Partial<SpecRow>,
): Promise<boolean> {
  const { affected } = await db.update(SpecEntity, { id, lease }, changes)
  return affected === 1
}

/** Serializes the creation of a slug until the transaction ends: of two at once, the second finds what the first made. */
export async function lockSlug(db: Db, { organizationId, specSlug }: SpecName): Promise<void> {
  await query(db, 'select pg_advisory_xact_lock(hashtextextended($1, 1))', [`${organizationId} ${specSlug}`])
}

/** The specifications of an organization that have these slugs. */
export async function findAll(db: Db, organizationId: string, slugs: string[]): Promise<SpecRow[]> {
  return db.findBy(SpecEntity, { organizationId, slug: In(slugs) })
}
