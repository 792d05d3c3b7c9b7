import { query, type Db } from '@recto/database'
import type { JobTable } from '@recto/jobs'
import { Any } from 'typeorm'
import { type ContentHolder, markGarbage } from '../garbage/garbage.repository.ts'
import { PdfEntity, type PdfRow } from './pdf.entity.ts'
import { leaseLength } from './pdfs.rules.ts'

const leasedUntil = (time: number) => ({ leasedUntil: new Date(time) })

/** PDFs as jobs that no worker polls: a request makes them. The end of the lease names its holder. */
export const pdfJobs: JobTable<PdfRow> = {
  entity: PdfEntity,
  key: 'key',
  open: 'true',
  due: 'job.leased_until',
  isTaken: 'job.leased_until > now()',
  maxAttempts: Infinity,
  attemptsOf: () => 0,
  take: (_pdf, now) => leasedUntil(now.getTime() + leaseLength),
  keep: now => leasedUntil(now.getTime() + leaseLength),
  release: (_pdf, { now }) => leasedUntil(now.getTime()),
  heldBy: ({ key, leasedUntil: end }) => ({ key, leasedUntil: end }),
}

/** A PDF by its key. */
export async function find(db: Db, key: string): Promise<PdfRow | undefined> {
  return (await db.findOneBy(PdfEntity, { key })) ?? undefined
}

/** Writes the row of a PDF unless there is one. */
export async function insertUnlessKnown(db: Db, row: PdfRow): Promise<void> {
  await db.createQueryBuilder().insert().into(PdfEntity).values(row).orIgnore().execute()
}

/** Changes a PDF; resolves to false when its row is gone. */
export async function update(db: Db, key: string, changes: Partial<PdfRow>): Promise<boolean> {
  const { affected } = await db.update(PdfEntity, { key }, changes)
  return affected === 1
}

/** Deletes some PDFs that have expired, and marks them as garbage; resolves to their number. */
export async function deleteExpired(db: Db, { now, limit }: { now: Date; limit: number }): Promise<number> {
  const rows = await query<{ hash: string | null }>(
    db,
    `with expired as (
       select key from pdfs where expires_at <= $1::timestamptz order by expires_at limit $2 for update skip locked
     ), deleted as (delete from pdfs using expired where pdfs.key = expired.key returning pdfs.hash)
     select hash from deleted`,
    [now, limit],
  )
  await markHashes(db, rows, now)
  return rows.length
}

/** Forgets a PDF whose file is lost: the next request makes it again. */
export async function forget(db: Db, hash: string): Promise<void> {
  await db.delete(PdfEntity, { hash })
}

/** Deletes the PDFs of spaces, and marks them as garbage. */
export async function deletePdfs(db: Db, spaces: string[], since: Date): Promise<void> {
  const rows = await db.findBy(PdfEntity, { spaceId: Any(spaces) })
  await db.delete(PdfEntity, { spaceId: Any(spaces) })
  await markHashes(db, rows, since)
}

async function markHashes(db: Db, rows: { hash: string | null }[], since: Date): Promise<void> {
  const refs = rows.flatMap(({ hash }) => (hash === null ? [] : [{ kind: 'blob' as const, hash }]))
  await markGarbage(db, refs, since)
}

/** Subqueries for the PDFs that hold a blob. */
export const pdfsHolding: ContentHolder = hash => [`select from pdfs where pdfs.hash = ${hash}`]

/** The blobs that PDFs hold. */
export async function heldBlobs(db: Db): Promise<string[]> {
  const rows = await query<{ hash: string }>(db, 'select distinct hash from pdfs where hash is not null')
  return rows.map(({ hash }) => hash)
}

/** Whether a PDF holds a blob. */
export async function holdsBlob(db: Db, hash: string): Promise<boolean> {
  return db.existsBy(PdfEntity, { hash })
}
