import type { Adapter } from 'oidc-provider'

/** The parts of an adapter that a kind of objects needs; the others are never called for it. */
export type PartialAdapter = Pick<Adapter, 'upsert' | 'find' | 'destroy'> & Partial<Adapter>
