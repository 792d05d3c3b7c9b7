import {
  longestVisitorToken,
  looksLikeVisitorToken,
  type Keys,
  verifyVisitorToken,
  visitorTokenKeys,
} from '@recto/actor/visitor-token'
import type { Actor, Visitor } from '@recto/actor'
import { busClient, headerJson, onSignal, type Bus } from '@recto/bus'
import { calls, publishingEvents } from '@recto/contracts'
import type { Actors, Audience, KnownActor } from '@recto/http'
import { Failure, type Secrets } from '@recto/operation'
import { LRUCache } from 'lru-cache'
import { audienceOf } from './audience.rules.ts'

/** Milliseconds between two questions for the sites that were closed: a signal of one may be lost. */
const askEvery = 15_000
/** Milliseconds without an answer after which closings may have been missed: then replies are not shared. */
const trustFor = 2 * askEvery

/** Verifies tokens of visitors of published sites; refuses those of sites that were closed since. */
export interface Visitors {
  find(token: string): Promise<KnownActor<Actor>>
  /** Resolves when the sites that were closed before the start are known. */
  ready: Promise<void>
  stop(): void
}

interface Known extends KnownActor<Actor> {
  visitor: Visitor
  /** Whose replies the visitor shares while closings are known. */
  audience: Audience | undefined
}

/**
 * Verifies the tokens of visitors without asking anybody: the signature says what they may read. Sites that were closed are known
 * from signals, and from asking publishing at the start, after a reconnection and every 15 seconds.
 */
export function createVisitors(
  bus: Bus,
  { secret, log }: { secret: Secrets; log: { warn(details: object, message: string): void } },
): Visitors {
  const keys = visitorTokenKeys(secret)
  const publishing = busClient(bus, calls.publishing, { service: 'publishing' })
  const known = new LRUCache<string, Known>({ max: 10_000, ttl: longestVisitorToken })
  const closed = new LRUCache<string, number>({ max: 100_000, ttl: 2 * longestVisitorToken })
  const close = (site: string, version: number): void => {
    if (version > (closed.get(site) ?? 0)) closed.set(site, version)
  }
  const ask = async (): Promise<void> => {
    const { sites } = await publishing.listClosedSites({ body: {} })
    for (const { site, closedVersion } of sites) close(site, closedVersion)
  }
  const asked = { failures: 0, answeredAt: 0 }
  const askQuietly = async (): Promise<void> => {
    try {
      await ask()
      asked.failures = 0
      asked.answeredAt = Date.now()
    } catch (error) {
      asked.failures += 1
      // The processes of an installation start together: publishing may be the later one.
      if (asked.failures > 1) log.warn({ err: error }, 'closed sites are not known')
    }
  }
  const stopListening = [
    onSignal(bus, publishingEvents.siteChanged, ({ site, closedVersion }) => close(site, closedVersion)),
    onSignal(bus, publishingEvents.siteDeleted, ({ site, version }) => close(site, version)),
  ]
  bus.onReconnect(() => void askQuietly())
  const timer = setInterval(() => void askQuietly(), askEvery)
  timer.unref()
  return {
    ready: askQuietly(),
    async find(token) {
      const found = known.get(token) ?? (await verified(token, keys))
      known.set(token, found)
      const { site, version } = found.visitor
      if (found.expiresAt <= Date.now() || version < (closed.get(site) ?? 0)) throw notValid()
      const knowsClosings = bus.isConnected() && Date.now() - asked.answeredAt < trustFor
      return knowsClosings ? found : { ...found, audience: undefined }
    },
    stop() {
      clearInterval(timer)
      for (const stop of stopListening) stop()
    },
  }
}

/** Finds users by their access tokens, and visitors by theirs. */
export function withVisitors(users: Actors<Actor>, visitors: Visitors): Pick<Actors<Actor>, 'find'> {
  return { find: token => (looksLikeVisitorToken(token) ? visitors.find(token) : users.find(token)) }
}

async function verified(token: string, keys: Keys): Promise<Known> {
  const found = await verifyVisitorToken(token, keys)
  if (!found) throw notValid()
  const { actor, tokenId, expiresAt } = found
  const audience = audienceOf(actor.visitor)
  return { actor, visitor: actor.visitor, audience, header: headerJson(actor), tokenId, expiresAt }
}

function notValid(): Failure {
  return new Failure('unauthenticated', 'The visitor token is expired or not valid any more')
}
