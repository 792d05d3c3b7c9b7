import { commentLimits } from '@recto/contracts-content'
import type { Transaction } from '@recto/database'
import { fieldFault } from '@recto/operation'
import { publishReactions } from './comment-events.ts'
import type { CommentPlace } from './comment-place.ts'
import * as repository from './reactions.repository.ts'
import { symbolOf } from './reactions.rules.ts'
import type { Context } from '../shared/context.ts'

/** Reactions that a request adds and removes. */
export interface GivenReactions {
  addedReactions?: string[] | undefined
  removedReactions?: string[] | undefined
}

/** The target of a reaction: a comment, or a reply to it. */
interface Reacting {
  place: CommentPlace
  comment: string
  reply?: string
  reactions: GivenReactions
}

/** Adds and removes reactions of the caller, one for each emoji; what changes nothing publishes nothing. The comment is locked. */
export async function changeReactions(
  tx: Transaction,
  { place, comment, reply, reactions: { addedReactions = [], removedReactions = [] } }: Reacting,
  { actor }: Context,
): Promise<void> {
  const { userId } = actor
  const subjectId = reply ?? comment
  if (addedReactions.length + removedReactions.length === 0) return
  const existing = await repository.listOf(tx, [subjectId])
  const own = new Set(existing.flatMap(({ userId: by, symbol }) => (by === userId ? [symbol] : [])))
  const emojiOf = new Map(addedReactions.map(emoji => [symbolOf(emoji), emoji]))
  const removedSymbols = [...new Set(removedReactions.map(symbolOf))].filter(
    symbol => own.has(symbol) && !emojiOf.has(symbol),
  )
  const newEmojis = [...emojiOf].filter(([symbol]) => !own.has(symbol))
  const different = new Set([...existing.map(({ symbol }) => symbol), ...newEmojis.map(([symbol]) => symbol)])
  if (newEmojis.length > 0 && different.size > commentLimits.emojis)
    throw fieldFault('body.addedReactions', `must leave at most ${commentLimits.emojis} different reactions`)
  await repository.remove(tx, { subjectId, userId, symbols: removedSymbols })
  const createdAt = new Date()
  const rows = newEmojis.map(([symbol, emoji]) => ({ commentId: comment, symbol, emoji, userId, createdAt }))
  await repository.insert(
    tx,
    rows.map(row => ({ ...row, subjectId, replyId: reply ?? null })),
  )
  if (newEmojis.length + removedSymbols.length === 0) return
  const change = { actor, place, comment, ...(reply !== undefined && { reply }) }
  const existingEmojis = new Map(existing.map(({ symbol, emoji }) => [symbol, emoji]))
  const withdrawn = removedSymbols.map(symbol => existingEmojis.get(symbol) ?? symbol)
  await publishReactions(tx, { ...change, added: newEmojis.map(([, emoji]) => emoji), removed: withdrawn })
}
