import { AsyncLocalStorage } from 'node:async_hooks'

/** Who did something: the kind of caller, `user` unless it is another one, and its id. */
export interface RecordedActor {
  kind: string
  id: string
}

/** Who caused what happens now, and how: it stands in the record of each change. */
export interface Origin {
  /** Who did it; absent where nobody signed in, or the platform did it on its own. */
  actor?: RecordedActor | undefined
  operationId?: string | undefined
  requestId?: string | undefined
  client?: {
    /** The IP address of the client, behind trusted proxies. */
    address?: string | undefined
    userAgent?: string | undefined
    /** The id of the access token, never the token. */
    token?: string | undefined
  }
}

/** A caller as the record names it. */
export function actorOf({ kind = 'user', userId }: { kind?: string | undefined; userId: string }): RecordedActor {
  return { kind, id: userId }
}

const storage = new AsyncLocalStorage<Origin>()

/** Runs work whose changes have this origin. */
export function runWithOrigin<T>(origin: Origin, work: () => T): T {
  return storage.run(origin, work)
}

/** The origin of what happens now; undefined outside of `runWithOrigin`, as in the work of a scheduler. */
export function currentOrigin(): Origin | undefined {
  return storage.getStore()
}
