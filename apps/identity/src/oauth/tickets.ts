import { oneTimeValues } from './one-time-values.ts'

/** A completed single sign-on, on its way to the authorization that it was begun for. */
export interface Ticket {
  interaction: string
  token: string
}

/** Tickets: whoever brings one, and has begun the interaction, has signed in with the token. */
export const tickets = oneTimeValues<Ticket>('Ticket', 120_000)
