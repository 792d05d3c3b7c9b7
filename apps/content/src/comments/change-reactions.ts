import { commentLimits } from '@recto/contracts-content'
import type { Transaction } from '@recto/database'
import { fieldFault } from '@recto/operation'
import * as repository from './reactions.repository.ts'
import { symbolOf } from './reactions.rules.ts'
import type { Context } from '../shared/context.ts'

/** Reactions that a request adds and removes. */
export interface ReactionChanges {
  addedReactions?: string[] | undefined
  removedReactions?: string[] | undefined
}

/** Changes of the reactions to a comment, or to a reply to it. */
interface ReactionTarget {
  comment: string
  reply?: string
  reactions: ReactionChanges
}

/**
 * Adds and removes the caller's reactions, one for each emoji. Resolves to whether a reaction changed. The caller must hold the lock of the
 * comment.
 */
export async function changeReactions(
  tx: Transaction,
  { comment, reply, reactions: { addedReactions = [], removedReactions = [] } }: ReactionTarget,
  { actor }: Context,
): Promise<boolean> {
  const { userId } = actor
  const subjectId = reply ?? comment
  if (addedReactions.length + removedReactions.length === 0) return false
  const existingReactions = await repository.listOf(tx, [subjectId])
  const own = new Set(existingReactions.flatMap(({ userId: by, symbol }) => (by === userId ? [symbol] : [])))
  const emojiOf = new Map(addedReactions.map(emoji => [symbolOf(emoji), emoji]))
  const removedSymbols = [...new Set(removedReactions.map(symbolOf))].filter(
    symbol => own.has(symbol) && !emojiOf.has(symbol),
  )
  const newEmojis = [...emojiOf].filter(([symbol]) => !own.has(symbol))
  const symbols = new Set([...existingReactions.map(({ symbol }) => symbol), ...newEmojis.map(([symbol]) => symbol)])
  if (newEmojis.length > 0 && symbols.size > commentLimits.emojis)
    throw fieldFault('body.addedReactions', `must leave at most ${commentLimits.emojis} different reactions`)
  await repository.remove(tx, { subjectId, userId, symbols: removedSymbols })
  const createdAt = new Date()
  const rows = newEmojis.map(([symbol, emoji]) => ({ commentId: comment, symbol, emoji, userId, createdAt }))
  await repository.insert(
    tx,
    rows.map(row => ({ ...row, subjectId, replyId: reply ?? null })),
  )
  return newEmojis.length + removedSymbols.length > 0
}
