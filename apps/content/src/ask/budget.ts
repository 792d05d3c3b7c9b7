import type { Db } from '@recto/database'
import { createId, Failure } from '@recto/operation'
import * as repository from './ask.repository.ts'
import { refusalOf, type AskLimits } from './budget.rules.ts'

interface Asking {
  organizationId: string
  /** Tokens that the question may take. */
  tokens: number
  limits: AskLimits
  /** Milliseconds after which the question counts as answered, whatever has become of it. */
  ms: number
}

/**
 * Counts a question of an organization before it is sent; throws `rate_limited` when that is above a limit. Questions at the same time wait
 * for each other's count. Resolves with what ends the question, by the tokens that it took.
 */
export async function takeTurn(
  db: Db,
  { organizationId, tokens, limits, ms }: Asking,
): Promise<(took: number) => Promise<void>> {
  const id = createId()
  const day = await db.transaction(async tx => {
    const use = await repository.lockUse(tx as Db, organizationId)
    const refusal = refusalOf(use, tokens, limits)
    if (refusal) throw new Failure('rate_limited', refusal.message, { retryAfter: refusal.retryAfter })
    await repository.insertTurn(tx as Db, { id, organizationId, tokens, ms })
    return use.day
  })
  return took => repository.endTurn(db, { id, organizationId, day, difference: took - tokens })
}
