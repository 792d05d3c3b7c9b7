import type { Context } from '../shared/context.ts'
import type { TokenRow } from './token.entity.ts'
import { presentToken } from './tokens.rules.ts'

/** Logs that a token was issued and by whom, and returns it with its secret, which no later reply shows. */
export function presentIssuedToken({ log, actor }: Context, { row, token }: { row: TokenRow; token: string }) {
  log.info({ token: row.id, user: row.userId, by: actor.userId }, 'a token was issued')
  return { ...presentToken(row), token }
}
