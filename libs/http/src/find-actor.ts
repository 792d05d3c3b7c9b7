import type { IncomingMessage } from 'node:http'
import { Failure, type Caller } from '@recto/operation'
import { bearerToken, type Actors, type KnownActor } from './actors.ts'
import type { RateLimit } from './limits.ts'

let turn: Promise<void> | undefined

/** Resolves on the next event-loop turn; callers in the same turn share one promise. */
function nextEventLoopTurn(): Promise<void> {
  turn ??= new Promise(resolve =>
    setImmediate(() => {
      turn = undefined
      resolve()
    }),
  )
  return turn
}

/** The parts with which the actor of a request is found. */
export interface FindingActors<Actor extends Caller> {
  actors: Pick<Actors<Actor>, 'find'>
  /** Refused tokens per client address, against guessing. */
  refusals: RateLimit
}

/** Finds the actor of a request's token. Refused tokens count against the address; valid ones pass even above that limit. */
export async function findActor<Actor extends Caller>(
  { actors, refusals }: FindingActors<Actor>,
  // The address is read for refused tokens alone: Express works it out each time.
  request: Pick<IncomingMessage, 'headers'> & { ip?: string | undefined },
): Promise<KnownActor<Actor>> {
  const token = bearerToken(request.headers.authorization)
  // Signals already received are processed first: one may drop this actor from the cache.
  await nextEventLoopTurn()
  try {
    return requireAddress(await actors.find(token), request)
  } catch (error) {
    if (error instanceof Failure && error.code === 'unauthenticated') await refusals.take(request.ip ?? '')
    throw error
  }
}

/** Throws `forbidden` for a token that may not be used from the address of a request. */
function requireAddress<Actor extends Caller>(
  knownActor: KnownActor<Actor>,
  request: { ip?: string | undefined },
): KnownActor<Actor> {
  if (knownActor.isAllowedFrom?.(request.ip) === false)
    throw new Failure('forbidden', 'The token may not be used from this address')
  return knownActor
}
