import { Failure, type Caller } from '@recto/operation'
import { LRUCache } from 'lru-cache'

/** What the owner of tokens says of one. */
export interface ResolvedToken<Actor extends Caller> {
  actor: Actor | null
  tokenId?: string | undefined
  /** Milliseconds since the epoch. */
  expiresAt?: number | undefined
}

/** The actor of a token, ready to be forwarded. */
export interface KnownActor<Actor extends Caller = Caller> {
  actor: Actor
  /** The actor as JSON, serialised once. */
  header: string
  tokenId: string
  expiresAt: number
}

/** Finds the actor of a bearer token, from a cache of at most 30 seconds. */
export interface Actors<Actor extends Caller> {
  /** Throws `unauthenticated` when the token is unknown, expired or revoked, and what `resolve` throws when it cannot tell. */
  find(token: string): Promise<KnownActor<Actor>>
  /** Forgets the actors for which the predicate holds, and every look-up in progress: its result may be outdated. */
  drop(isChanged: (actor: Actor) => boolean): void
  /** Forgets everything. */
  clear(): void
}

interface ActorsOptions<Actor extends Caller> {
  /** The hash under which a token is known: tokens themselves are neither kept nor sent. */
  hash(token: string): string
  resolve(tokenHash: string): Promise<ResolvedToken<Actor>>
  serialise(actor: Actor): string
  /** Milliseconds an entry lives at most; 30,000 unless given. */
  ttl?: number
}

/** A cache of actors by token hash; only hashes are kept. */
export function createActors<Actor extends Caller>({
  hash: hashOf,
  resolve,
  serialise,
  ttl = 30_000,
}: ActorsOptions<Actor>): Actors<Actor> {
  const known = new LRUCache<string, KnownActor<Actor>>({ max: 10_000, ttl })
  const unknown = new LRUCache<string, true>({ max: 10_000, ttl: 2_000 })
  const asking = new Map<string, Promise<KnownActor<Actor>>>()
  // What was asked before something changed must not be kept: the answer may be from before the change.
  let changes = 0

  const ask = async (hash: string): Promise<KnownActor<Actor>> => {
    const asked = changes
    const { actor, tokenId, expiresAt } = await resolve(hash)
    if (!actor || !tokenId) {
      unknown.set(hash, true)
      throw invalidToken()
    }
    const found = { actor, header: serialise(actor), tokenId, expiresAt: expiresAt ?? Number.POSITIVE_INFINITY }
    if (asked === changes) known.set(hash, found)
    return found
  }
  return {
    async find(token) {
      const hash = hashOf(token)
      if (unknown.has(hash)) throw invalidToken()
      const found = known.get(hash) ?? (await shareInFlight(asking, hash, ask))
      if (found.expiresAt <= Date.now()) throw invalidToken()
      return found
    },
    drop(isChanged) {
      changes += 1
      asking.clear()
      for (const [hash, { actor }] of known.entries()) if (isChanged(actor)) known.delete(hash)
    },
    clear() {
      changes += 1
      asking.clear()
      known.clear()
      unknown.clear()
    },
  }
}

/** Asks once for all who want to know at the same time. */
function shareInFlight<T>(asking: Map<string, Promise<T>>, key: string, ask: (key: string) => Promise<T>): Promise<T> {
  const before = asking.get(key)
  if (before) return before
  const asked = ask(key).finally(() => {
    // It may have been dropped and asked anew since.
    if (asking.get(key) === asked) asking.delete(key)
  })
  asking.set(key, asked)
  return asked
}

/** The token of an `Authorization: Bearer` header (RFC 6750); throws `unauthenticated` when there is none. */
export function bearerToken(header: string | undefined): string {
  const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1]
  if (!token) throw new Failure('unauthenticated', 'An access token is needed: Authorization: Bearer <token>')
  return token
}

function invalidToken(): Failure {
  return new Failure('unauthenticated', 'The access token is unknown, expired or revoked')
}
