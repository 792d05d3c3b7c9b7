import { Failure, type Caller } from '@recto/operation'
import { LRUCache } from 'lru-cache'
import { addressCheck, type AddressCheck } from './address-list.ts'

/** The result of looking a token up; `actor` is null for an unknown token. */
export interface ResolvedToken<Actor extends Caller> {
  actor: Actor | null
  tokenId?: string | undefined
  /** Milliseconds since the epoch. */
  expiresAt?: number | undefined
}

/** The key of replies that callers may share: all callers of one audience get the same, and the gateway knows their rights without asking. */
export interface Audience {
  /** Everything of the caller's token that can change a reply, as a key. */
  key: string
  /** The resources that the caller may read. */
  resources: readonly string[]
}

/** A cached actor, ready to be forwarded. */
export interface KnownActor<Actor extends Caller = Caller> {
  actor: Actor
  /** The actor as JSON, serialised once. */
  header: string
  tokenId: string
  expiresAt: number
  /** Whether the token may be used from an address; from everywhere when absent. */
  isAllowedFrom?: AddressCheck | undefined
  /** Absent for callers whose rights a service has to be asked for. */
  audience?: Audience | undefined
  /** Seconds after which a client asks again for a reply that never changes: for callers whose right to it may end meanwhile. */
  maxAge?: number | undefined
}

/** Finds the actor of a bearer token through a cache. */
export interface Actors<Actor extends Caller> {
  /** Throws `unauthenticated` when the token is unknown, expired or revoked, and what `resolve` throws. */
  find(token: string): Promise<KnownActor<Actor>>
  /** Removes the actors that match from the cache; results of look-ups in progress are not cached, since they may be outdated. */
  drop(isChanged: (actor: Actor) => boolean): void
  /** Empties the cache. */
  clear(): void
}

interface ActorsOptions<Actor extends Caller> {
  /** Hashes a token: only hashes are cached and sent. */
  hash(token: string): string
  resolve(tokenHash: string): Promise<ResolvedToken<Actor>>
  serialise(actor: Actor): string
  /** Maximum age of a cache entry in milliseconds; 30,000 unless given. */
  ttl?: number
}

/** Creates a cache of actors by token hash: 10,000 entries, unknown tokens for 2 seconds, one look-up per token at a time. */
export function createActors<Actor extends Caller>({
  hash: hashOf,
  resolve,
  serialise,
  ttl = 30_000,
}: ActorsOptions<Actor>): Actors<Actor> {
  const knownActors = new LRUCache<string, KnownActor<Actor>>({ max: 10_000, ttl })
  const unknown = new LRUCache<string, true>({ max: 10_000, ttl: 2_000 })
  const lookups = new Map<string, Promise<KnownActor<Actor>>>()
  // A look-up that started before a change must not be cached: its result may be outdated.
  let changes = 0

  const lookUp = async (hash: string): Promise<KnownActor<Actor>> => {
    const startedAt = changes
    const { actor, tokenId, expiresAt } = await resolve(hash)
    if (!actor || !tokenId) {
      unknown.set(hash, true)
      throw invalidToken()
    }
    const knownActor = {
      actor,
      header: serialise(actor),
      tokenId,
      expiresAt: expiresAt ?? Number.POSITIVE_INFINITY,
      ...(actor.allowedAddresses && { isAllowedFrom: addressCheck(actor.allowedAddresses) }),
    }
    if (startedAt === changes) knownActors.set(hash, knownActor)
    return knownActor
  }
  return {
    async find(token) {
      const hash = hashOf(token)
      if (unknown.has(hash)) throw invalidToken()
      const knownActor = knownActors.get(hash) ?? (await shareInFlight(lookups, hash, lookUp))
      if (knownActor.expiresAt <= Date.now()) throw invalidToken()
      return knownActor
    },
    drop(isChanged) {
      changes += 1
      lookups.clear()
      for (const [hash, { actor }] of knownActors.entries()) if (isChanged(actor)) knownActors.delete(hash)
    },
    clear() {
      changes += 1
      lookups.clear()
      knownActors.clear()
      unknown.clear()
    },
  }
}

/** Shares one promise between concurrent calls with the same key. */
function shareInFlight<T>(
  inFlight: Map<string, Promise<T>>,
  key: string,
  work: (key: string) => Promise<T>,
): Promise<T> {
  const before = inFlight.get(key)
  if (before) return before
  const started = work(key).finally(() => {
    // The entry may have been replaced since.
    if (inFlight.get(key) === started) inFlight.delete(key)
  })
  inFlight.set(key, started)
  return started
}

/** Extracts the token of an `Authorization: Bearer` header (RFC 6750); throws `unauthenticated` when there is none. */
export function bearerToken(header: string | undefined): string {
  const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1]
  if (!token) throw new Failure('unauthenticated', 'An access token is needed: Authorization: Bearer <token>')
  return token
}

function invalidToken(): Failure {
  return new Failure('unauthenticated', 'The access token is unknown, expired or revoked')
}
