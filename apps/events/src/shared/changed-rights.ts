import { concernedBy, type Actor } from '@recto/actor'
import { onSignal, type Bus } from '@recto/bus'
import { identityEvents } from '@recto/contracts-identity-bus'

/** Tells requests that go on for long that the rights of their callers have changed. */
export interface ChangedRights {
  /**
   * A signal that aborts when the rights of an actor may have changed, and a function that ends the watch. `mayWait` is false when this
   * user has enough others: what waits takes a place of the service, of which others need some, too.
   */
  watch(actor: Actor): { signal: AbortSignal; mayWait: boolean; end(): void }
}

/** Requests of one user that may wait at once in one process. */
const maxWaiting = 20

/** Listens for changes of rights; who was not connected to the bus for a while may have missed one. */
export function listenForChangedRights(bus: Bus): ChangedRights {
  const watches = new Set<{ actor: Actor; change: AbortController }>()
  const abort = (isConcerned: (actor: Actor) => boolean): void => {
    for (const { actor, change } of [...watches]) if (isConcerned(actor)) change.abort()
  }
  onSignal(bus, identityEvents.actorChanged, change => abort(concernedBy(change)))
  bus.onReconnect(() => abort(() => true))
  return {
    watch(actor) {
      const entry = { actor, change: new AbortController() }
      const mayWait = [...watches].filter(other => other.actor.userId === actor.userId).length < maxWaiting
      watches.add(entry)
      return { signal: entry.change.signal, mayWait, end: () => void watches.delete(entry) }
    },
  }
}
