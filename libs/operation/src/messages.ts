import type { z } from 'zod'

/** An event as data: subject, payload, and the services that must have handled it before it is done. */
export interface Event {
  subject: `events.${string}`
  summary: string
  payload: z.ZodType
  /** Durable consumers; an event without any is a signal, delivered at most once. */
  consumers: readonly string[]
}

/** A job as data: work that outlives a request. */
export interface Job {
  subject: `jobs.${string}`
  summary: string
  payload: z.ZodType
  /** The service that does the work. */
  consumer: string
}

/** Declares a table of events. */
export function events<const T extends Record<string, Event>>(rows: T): T {
  return rows
}

/** Declares a table of jobs. */
export function jobs<const T extends Record<string, Job>>(rows: T): T {
  return rows
}

/** Payload of an event or a job. */
export type Payload<T extends Event | Job> = z.output<T['payload']>
