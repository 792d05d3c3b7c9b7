import type { Event, Payload } from '@recto/operation'
import { guarded, type Bus } from './connection.ts'
import { parseJson } from './wire.ts'

/** Subscribes to an event at most once (core NATS, no redelivery): for dropping caches only. Returns the unsubscribe function. */
export function onSignal<T extends Event>(bus: Bus, event: T, listener: (payload: Payload<T>) => void): () => void {
  const subscription = bus.connection.subscribe(event.subject, {
    callback: (error, message) => {
      if (error) return
      const parsed = event.payload.safeParse(parseJson(message))
      if (parsed.success) guarded(bus.notice, () => listener(parsed.data as Payload<T>))
    },
  })
  return () => subscription.unsubscribe()
}
