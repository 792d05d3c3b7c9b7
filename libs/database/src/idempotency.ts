import { createHash, hkdfSync } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createId, Failure, type Secrets, openWith } from '@recto/operation'
import { Raw } from 'typeorm'
import { columnsOf } from './columns.ts'
import { IdempotentRequestEntity, type IdempotentRequestRow } from './idempotent-request.entity.ts'
import type { Db } from './open.ts'
import { query } from './query.ts'
import { seal, unseal } from './seal.ts'

/** SQL that creates the table of requests with an `Idempotency-Key`; part of a migration of each service. */
export const idempotencyTable = [
  `create table idempotent_requests (
    id text primary key,
    fingerprint text not null,
    attempt text not null,
    leased_until timestamptz not null,
    is_carried_out boolean not null default false,
    reply bytea,
    created_at timestamptz not null default now()
  )`,
  `create unique index idempotent_requests_attempt on idempotent_requests (attempt)`,
  `create index idempotent_requests_created on idempotent_requests (created_at)`,
]

/** A request with an `Idempotency-Key`: who made it, and what it is. */
export interface IdempotentRequest {
  userId: string
  operationId: string
  key: string
  /** Hash of the request's parameters and body. */
  fingerprint: string
  /** Milliseconds since the epoch after which the caller no longer waits. */
  deadline: number
}

/** Hours for which a reply is kept. */
const retention = 24
/** Milliseconds that an attempt may take beyond the deadline of its request. */
const leaseMargin = 5_000
/** Milliseconds between two looks at an attempt that another request is making. */
const poll = 50
/** Milliseconds between two attempts to forget a request while the database is away. */
const retryForgetting = 250

/**
 * Runs a request once per key and user within a day, and resolves with the first reply. A request that fails before a transaction
 * of it has committed is forgotten. Throws `conflict` when the key was used for another request, when the first attempt is still
 * running at the deadline, and when it was carried out but ended before its reply was stored. Replies are encrypted with AES-256-GCM
 * under a key derived from `secret` and the client's key.
 */
export async function runOnce(
  db: Db,
  { request, secret }: { request: IdempotentRequest; secret: Secrets },
  run: (attempt: string) => Promise<Buffer>,
): Promise<Buffer> {
  const id = idOf(request)
  const attempt = createId()
  const earlier = await claim(db, { id, attempt, request })
  const keyOf = (each: string) => replyKey({ id, secret: each, key: request.key })
  if (earlier) return openWith(secret, each => unseal(earlier, { key: keyOf(each) }))
  const reply = await run(attempt).catch(async (error: unknown) => {
    await forget(db, { id, attempt }).catch(() => void forgetLater(db, { id, attempt, request }))
    throw error
  })
  // Without its stored reply a repeated request fails, and this one has still been carried out.
  await store(db, { id, attempt, reply: seal(reply, { key: keyOf(secret[0]) }) }).catch(() => undefined)
  return reply
}

/** Marks a request as carried out, in the transaction that does so; throws `conflict` when another attempt has taken it over. */
export async function markCarriedOut(db: Db, attempt: string): Promise<void> {
  const { affected } = await db.update(IdempotentRequestEntity, { attempt }, { isCarriedOut: true })
  if (affected !== 1) throw new Failure('conflict', 'Another request with this Idempotency-Key has taken over')
}

/** Takes that back for an attempt that ends as a failure, so that the request can be repeated with its key. */
export async function markNotCarriedOut(db: Db, attempt: string): Promise<void> {
  await db.update(IdempotentRequestEntity, { attempt }, { isCarriedOut: false })
}

/** Deletes requests whose replies are no longer kept. */
export async function deleteOldRequests(db: Db): Promise<void> {
  const past = Raw(column => `${column} < now() - make_interval(hours => :retention)`, { retention })
  await db.delete(IdempotentRequestEntity, { createdAt: past })
}

interface Claim {
  id: string
  attempt: string
  request: IdempotentRequest
}

/** Makes this attempt the one that runs, or resolves to the stored reply; waits while another attempt runs. */
async function claim(db: Db, claimed: Claim): Promise<Buffer | undefined> {
  const { id, attempt, request } = claimed
  for (;;) {
    if (await take(db, claimed)) return undefined
    const [row] = await query<IdempotentRequestRow>(db, `select ${columns} from idempotent_requests where id = $1`, [
      id,
    ])
    if (row?.attempt === attempt) return undefined
    if (row && row.fingerprint !== request.fingerprint)
      throw new Failure('conflict', 'The Idempotency-Key was used for another request')
    if (row?.reply) return row.reply
    if (row?.isCarriedOut && row.leasedUntil.getTime() < Date.now())
      throw new Failure(
        'conflict',
        'The first request with this Idempotency-Key was carried out, but its reply was lost',
      )
    if (Date.now() + poll > request.deadline)
      throw new Failure('conflict', 'The first request with this Idempotency-Key is still running', { retryAfter: 1 })
    await sleep(poll)
  }
}

const columns = columnsOf(IdempotentRequestEntity, 'idempotent_requests')

/** Inserts the request, or takes over one that is too old or whose attempt died before it did anything. */
async function take(db: Db, { id, attempt, request }: Claim): Promise<boolean> {
  const taken = await query(
    db,
    `insert into idempotent_requests (id, fingerprint, attempt, leased_until) values ($1, $2, $3, $4)
     on conflict (id) do update
       set fingerprint = excluded.fingerprint, attempt = excluded.attempt, leased_until = excluded.leased_until,
         is_carried_out = false, reply = null, created_at = now()
       where idempotent_requests.created_at < now() - make_interval(hours => $5)
         or (idempotent_requests.fingerprint = excluded.fingerprint
           and not idempotent_requests.is_carried_out and idempotent_requests.reply is null
           and idempotent_requests.leased_until < now())
     returning id`,
    [id, request.fingerprint, attempt, new Date(leaseEnd(request)), retention],
  )
  return taken.length > 0
}

async function forget(db: Db, { id, attempt }: { id: string; attempt: string }): Promise<void> {
  await db.delete(IdempotentRequestEntity, { id, attempt, isCarriedOut: false })
}

/**
 * Forgets a request whose database was away when it failed, until its lease ends: without it, a repeated request would wait that long. What
 * the database was told, and did not acknowledge, may have been committed; then the request stays.
 */
async function forgetLater(db: Db, { id, attempt, request }: Claim): Promise<void> {
  for (const end = leaseEnd(request); Date.now() < end;) {
    await sleep(retryForgetting, undefined, { ref: false })
    const isForgotten = await forget(db, { id, attempt }).then(
      () => true,
      () => false,
    )
    if (isForgotten) return
  }
}

const leaseEnd = ({ deadline }: IdempotentRequest): number => deadline + leaseMargin

async function store(db: Db, { id, attempt, reply }: { id: string; attempt: string; reply: Buffer }): Promise<void> {
  await db.update(IdempotentRequestEntity, { id, attempt }, { reply })
}

function idOf({ userId, operationId, key }: IdempotentRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([userId, operationId, key]))
    .digest('hex')
}

interface KeyParts {
  id: string
  secret: string
  key: string
}

/** The key that encrypts a reply: whoever has the database alone cannot read it, as they do not have the client's key. */
function replyKey({ id, secret, key }: KeyParts): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', `${secret}:${key}`, id, 'reply of an idempotent request', 32))
}
