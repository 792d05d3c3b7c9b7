import type { Db } from '@recto/database'
import { createId, Failure } from '@recto/operation'
import * as repository from './ask.repository.ts'
import { refusalOf, type AskLimits } from './budget.rules.ts'

interface TurnRequest {
  organizationId: string
  /** Tokens that the question may take. */
  tokens: number
  limits: AskLimits
  /** Milliseconds after which the question counts as answered, whatever has become of it. */
  ms: number
}

/** A question that is counted, until it is answered. */
interface Turn {
  /** Counts more tokens that it may take; throws `rate_limited` when that is above the limit. */
  add(tokens: number): Promise<void>
  /** Ends the question, by the tokens that it took. */
  end(took: number): Promise<void>
}

/** Throws `rate_limited` where not even the shortest question could be asked. */
export async function requireBudget(
  db: Db,
  { organizationId, limits }: Pick<TurnRequest, 'organizationId' | 'limits'>,
): Promise<void> {
  await db.transaction(async tx => requireRoom(await repository.lockUse(tx as Db, organizationId), 1, limits))
}

/**
 * Counts a question of an organization before it is sent; throws `rate_limited` when that is above a limit. Questions at the same time wait
 * for each other's count.
 */
export async function takeTurn(db: Db, { organizationId, tokens, limits, ms }: TurnRequest): Promise<Turn> {
  const id = createId()
  let countedTokens = tokens
  const day = await db.transaction(async tx => {
    const use = await repository.lockUse(tx as Db, organizationId)
    requireRoom(use, tokens, limits)
    await repository.insertTurn(tx as Db, { id, organizationId, tokens, ms })
    return use.day
  })
  return {
    async add(more) {
      await db.transaction(async tx => {
        const use = await repository.lockUse(tx as Db, organizationId)
        // The question itself is among those that are counted and running.
        requireRoom({ ...use, questions: 0, running: 0 }, more, limits)
        await repository.addTokens(tx as Db, { organizationId, day, tokens: more })
      })
      countedTokens += more
    },
    end: took => repository.endTurn(db, { id, organizationId, day, difference: took - countedTokens }),
  }
}

function requireRoom(use: repository.AskUse, tokens: number, limits: AskLimits): void {
  const refusal = refusalOf(use, tokens, limits)
  if (refusal) throw new Failure('rate_limited', refusal.message, { retryAfter: refusal.retryAfter })
}
