import { query, type Db } from '@recto/database'
import { AskBudgetEntity } from './ask-budget.entity.ts'
import { AskTurnEntity } from './ask-turn.entity.ts'

/** How much of today's budget an organization has used, and how many of its questions are being answered. */
export interface AskUse {
  /** The day in UTC, as it is stored. */
  day: string
  questions: number
  tokens: number
  running: number
  /** Seconds until the next day. */
  untilTomorrow: number
}

const today = `(now() at time zone 'utc')::date`

/** Reads today's use of an organization, and locks it until the transaction ends. */
export async function lockUse(db: Db, organizationId: string): Promise<AskUse> {
  const [row] = await query<Omit<AskUse, 'running'>>(
    db,
    `insert into ask_budgets as budget (organization_id, day, questions, tokens) values ($1, ${today}::text, 0, 0)
     on conflict (organization_id) do update set day = excluded.day,
       questions = case when budget.day = excluded.day then budget.questions else 0 end,
       tokens = case when budget.day = excluded.day then budget.tokens else 0 end
     returning day, questions, tokens,
       ceil(extract(epoch from (${today} + 1)::timestamp - (now() at time zone 'utc')))::int as "untilTomorrow"`,
    [organizationId],
  )
  await query(db, `delete from ask_turns where organization_id = $1 and ends_at < clock_timestamp()`, [organizationId])
  const running = await db.countBy(AskTurnEntity, { organizationId })
  return { ...(row as Omit<AskUse, 'running'>), running }
}

/** A question with the tokens that it may take. */
export interface Turn {
  id: string
  organizationId: string
  tokens: number
}

/** Counts a question, and the tokens that it may take, until `ms` from now. */
export async function insertTurn(db: Db, { id, organizationId, tokens, ms }: Turn & { ms: number }): Promise<void> {
  await query(
    db,
    `insert into ask_turns (id, organization_id, ends_at) values ($1, $2, clock_timestamp() + $3 * interval '1 ms')`,
    [id, organizationId, ms],
  )
  await query(db, `update ask_budgets set questions = questions + 1, tokens = tokens + $2 where organization_id = $1`, [
    organizationId,
    tokens,
  ])
}

/** Counts more tokens that a question of a day may take. */
export async function addTokens(
  db: Db,
  { organizationId, day, tokens }: Omit<Turn, 'id'> & { day: string },
): Promise<void> {
  await db.increment(AskBudgetEntity, { organizationId, day }, 'tokens', tokens)
}

/** Ends a question, and corrects the tokens of its day by those that it did not take. */
export async function endTurn(
  db: Db,
  { id, organizationId, day, difference }: Omit<Turn, 'tokens'> & { day: string; difference: number },
): Promise<void> {
  await db.delete(AskTurnEntity, { id })
  await query(db, `update ask_budgets set tokens = greatest(0, tokens + $3) where organization_id = $1 and day = $2`, [
    organizationId,
    day,
    difference,
  ])
}
