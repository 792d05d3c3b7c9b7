import {
  maxVisitorTokenLength,
  looksLikeVisitorToken,
  type Keys,
  verifyVisitorToken,
  visitorTokenKeys,
} from '@recto/actor/visitor-token'
import type { Actor, Visitor } from '@recto/actor'
import { headerJson } from '@recto/bus'
import type { Actors, Audience, KnownActor } from '@recto/http'
import { Failure, type Secrets } from '@recto/operation'
import { LRUCache } from 'lru-cache'
import { audienceOf } from './audience.rules.ts'
import { visitorMaxAge as maxAge, type Closings } from './closings.ts'

/** Verifies tokens of visitors of published sites; refuses those of sites that were closed since. */
export interface Visitors {
  find(token: string): Promise<KnownActor<Actor>>
}

interface VerifiedVisitor extends KnownActor<Actor> {
  visitor: Visitor
  /** The audience whose replies the visitor shares while closings are known. */
  audience: Audience | undefined
}

/** Verifies the tokens of visitors without asking anybody: the signature says what they may read. */
export function createVisitors(closings: Closings, { secret }: { secret: Secrets }): Visitors {
  const keys = visitorTokenKeys(secret)
  const visitorCache = new LRUCache<string, VerifiedVisitor>({ max: 10_000, ttl: maxVisitorTokenLength })
  return {
    async find(token) {
      const visitor = visitorCache.get(token) ?? (await verified(token, keys))
      visitorCache.set(token, visitor)
      if (visitor.expiresAt <= Date.now() || closings.isClosed(visitor.visitor)) throw notValid()
      return closings.areKnown() ? visitor : { ...visitor, audience: undefined }
    },
  }
}

/** Finds users by their access tokens, and visitors by theirs. */
export function withVisitors(users: Actors<Actor>, visitors: Visitors): Pick<Actors<Actor>, 'find'> {
  return { find: token => (looksLikeVisitorToken(token) ? visitors.find(token) : users.find(token)) }
}

async function verified(token: string, keys: Keys): Promise<VerifiedVisitor> {
  const verifiedToken = await verifyVisitorToken(token, keys)
  if (!verifiedToken) throw notValid()
  const { actor, tokenId, expiresAt } = verifiedToken
  const audience = audienceOf(actor.visitor)
  return { actor, visitor: actor.visitor, audience, maxAge, header: headerJson(actor), tokenId, expiresAt }
}

function notValid(): Failure {
  return new Failure('unauthenticated', 'The visitor token is expired or not valid any more')
}
