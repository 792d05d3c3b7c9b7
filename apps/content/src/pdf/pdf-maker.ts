import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { MessageChannel } from 'node:worker_threads'
import type { BlobStore } from '@recto/blobs'
import type { Db } from '@recto/database'
import { keepLease, releaseJob, takeJob, updateHeld } from '@recto/jobs'
import { Failure } from '@recto/operation'
import { serveSource, type Book, type BookSource, type PdfTasks } from '@recto/pdf'
import type { RunTransaction } from '@recto/service'
import type { Log } from '@recto/telemetry'
import { WorkerFailure, type WorkerPool } from '@recto/worker-pool'
import { markGarbage } from '../garbage/garbage.repository.ts'
import type { PdfRow } from './pdf.entity.ts'
import * as pdfs from './pdfs.repository.ts'
import { faultLifetime, leaseLength, pdfLifetime, pdfState } from './pdfs.rules.ts'

const heartbeat = leaseLength / 3
/** PDFs that wait in one process; more are refused. */
const maxWaiting = 50

/** The tools for making PDFs. */
export interface PdfMakerTools {
  db: Db
  transaction: RunTransaction
  blobs: BlobStore
  pool: WorkerPool<PdfTasks>
  log: Pick<Log, 'warn'>
}

/** A PDF to make, under the key of its row. */
export interface PdfOrder {
  key: string
  spaceId: string
  book: Book
  source: BookSource
}

/** Makes PDFs in this process, each once at a time. */
export interface PdfMaker {
  /** Makes a PDF unless another process does; resolves when this process does not make it any more. */
  make(order: PdfOrder): Promise<void>
  /** Ends what is being made, and begins nothing. */
  stop(): Promise<void>
}

/** Creates the maker, which starts nothing by itself. */
export function createPdfMaker(tools: PdfMakerTools): PdfMaker {
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  return {
    make(order) {
      const attemptInProgress = running.get(order.key)
      if (attemptInProgress) return attemptInProgress
      if (stopping.signal.aborted || running.size >= maxWaiting) return Promise.reject(busy())
      const making = attempt(order, { ...tools, signal: stopping.signal }).finally(() => running.delete(order.key))
      // The caller may have stopped waiting.
      making.catch(() => undefined)
      running.set(order.key, making)
      return making
    },
    async stop() {
      stopping.abort(busy())
      await Promise.allSettled(running.values())
    },
  }
}

function busy(): Failure {
  return new Failure('unavailable', 'Too many PDFs are being made; ask again', { retryAfter: 10 })
}

type AttemptTools = PdfMakerTools & { signal: AbortSignal }

/** Makes a PDF unless another process does. Its row is leased until it is made, however long it waits for a thread. */
async function attempt(order: PdfOrder, tools: AttemptTools): Promise<void> {
  const { db, transaction, log, signal } = tools
  const held = await take(order, tools)
  if (!held) return
  const write = (changes: Partial<PdfRow>) => updateHeld(db, pdfs.pdfJobs, { row: held, changes })
  const lease = {
    stopping: signal,
    every: heartbeat,
    beat: () => extend(held, db),
    late: new Failure('timeout', 'The PDF took too long'),
    lost: new Failure('conflict', 'Another process makes this PDF'),
    onError: (error: unknown) => log.warn({ err: error }, 'the lease of a PDF was not extended'),
  }
  await keepLease(lease, async stop => {
    try {
      const hash = await makeAndStore(order, { ...tools, signal: stop.signal })
      await write({ hash, leasedUntil: new Date(), expiresAt: after(pdfLifetime) })
    } catch (error) {
      const fault = faultOf(error)
      if (fault === undefined) {
        await transaction(tx => releaseJob(tx, pdfs.pdfJobs, { row: held, isCounted: true }))
        throw error
      }
      await write({ fault, leasedUntil: new Date(), expiresAt: after(faultLifetime) })
    }
  })
}

async function extend(held: PdfRow, db: Db): Promise<boolean> {
  const changes = pdfs.pdfJobs.keep(new Date())
  const isHeld = await updateHeld(db, pdfs.pdfJobs, { row: held, changes })
  if (isHeld) Object.assign(held, changes)
  return isHeld
}

async function take({ key, spaceId }: PdfOrder, { transaction }: AttemptTools): Promise<PdfRow | undefined> {
  return transaction(async tx => {
    const unmade = { spaceId, hash: null, fault: null, expiresAt: after(pdfLifetime) }
    await pdfs.insertUnlessKnown(tx, { ...unmade, key, leasedUntil: new Date(0) })
    const replaced: PdfRow[] = []
    const lease = await takeJob(tx, pdfs.pdfJobs, {
      key,
      isWanted: row => pdfState(row, new Date()) === 'free',
      started: row => (replaced.push(row), unmade),
    })
    // A PDF that is made anew is no longer referenced.
    const hashes = replaced.flatMap(({ hash }) => (hash === null ? [] : [{ kind: 'blob' as const, hash }]))
    if (hashes.length > 0) await markGarbage(tx, hashes, new Date())
    return lease?.row
  })
}

/** Makes and stores a PDF; resolves to its hash. */
async function makeAndStore(order: PdfOrder, tools: AttemptTools): Promise<string> {
  const { transaction, blobs, log } = tools
  const folder = await mkdtemp(join(tmpdir(), 'recto-pdf-'))
  try {
    const file = join(folder, 'book.pdf')
    const { missing } = await runTask(order, file, tools)
    if (missing.length > 0)
      log.warn(
        { space: order.spaceId, characters: missing.slice(0, 20).join('') },
        'no font has these characters: see PDF_FONTS',
      )
    const hash = await hashOf(file)
    // Garbage until a row references it: a process that ends in between leaves nothing behind.
    await transaction(tx => markGarbage(tx, [{ kind: 'blob', hash }], new Date()))
    await blobs.put(createReadStream(file))
    return hash
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runTask(
  { book, source }: PdfOrder,
  file: string,
  { pool, signal }: AttemptTools,
): Promise<{ missing: string[] }> {
  const { port1, port2 } = new MessageChannel()
  const { failed } = serveSource(source, port1)
  try {
    const task = pool.run('makePdf', { book, port: port2, file }, { transfer: [port2], signal })
    const result = await Promise.race([task, failed])
    if ('refused' in result) throw new Failure('too_large', result.refused)
    return result
  } finally {
    port1.close()
  }
}

/** The reason why a PDF of this content can never be made; undefined for any other failure. */
function faultOf(error: unknown): string | undefined {
  const hint = 'ask for one page of it with `page` and `only`'
  if (error instanceof Failure && error.code === 'too_large') return `${error.message}; ${hint}`
  if (!(error instanceof WorkerFailure) || error.reason === 'closed') return undefined
  const why = { timeout: 'takes too long', memory: 'needs too much memory', depth: 'is nested too deeply' }[
    error.reason
  ]
  return `The content ${why} for a PDF; ${hint}`
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

function after(milliseconds: number): Date {
  return new Date(Date.now() + milliseconds)
}
