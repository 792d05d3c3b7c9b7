import type { Event, Payload } from '@recto/operation'
import { guarded, type Bus } from './connection.ts'
import { parseJson } from './wire.ts'

/** Hears an event as it passes, at most once: for dropping caches, never for what must not be missed. */
export function onSignal<T extends Event>(bus: Bus, event: T, hear: (payload: Payload<T>) => void): () => void {
  const subscription = bus.connection.subscribe(event.subject, {
    callback: (error, message) => {
      if (error) return
      const parsed = event.payload.safeParse(parseJson(message))
      if (parsed.success) guarded(bus.notice, () => hear(parsed.data as Payload<T>))
    },
  })
  return () => subscription.unsubscribe()
}
