import { recorded } from '@recto/contracts-shared'
import type { BaseContext } from '../shared/context.ts'
import type { Refusal } from './refusal.ts'

/** Logs and records a refusal: the record has the reason alone. */
export async function recordRefusal(
  { transaction, log }: BaseContext,
  place: { organization: string; samlProvider: string } | { organization: string; oidcProvider: string },
  refusal: Refusal,
): Promise<void> {
  const { organization } = place
  const provider = 'oidcProvider' in place ? place.oidcProvider : place.samlProvider
  log.warn({ provider, organization, ...refusal }, 'a single sign-on was refused')
  const { reason } = refusal
  await transaction(async tx => tx.record(recorded('member.sign-in.refused', { ...place, details: { reason } })))
}
