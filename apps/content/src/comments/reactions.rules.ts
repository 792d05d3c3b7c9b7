import { groupBy } from '../lists/group-by.ts'
import type { ReactionRow } from './reaction.entity.ts'

/** Says that the character before it is shown as an emoji, which it is here anyway. */
const asEmoji = 'fe0f'

/** The identity of an emoji: its code points, however it is given, without the ones that say how it is shown. */
export function symbolOf(emoji: string): string {
  const isHexadecimal = /^[0-9a-f]{1,6}(?:-[0-9a-f]{1,6})*$/i.test(emoji)
  const points = isHexadecimal
    ? emoji.split('-').map(hex => Number.parseInt(hex, 16))
    : Array.from(emoji, character => character.codePointAt(0) ?? 0)
  const hexes = points.map(point => point.toString(16))
  const visible = hexes.filter(hex => hex !== asEmoji)
  return (visible.length > 0 ? visible : hexes).join('-')
}

type Reaction = Pick<ReactionRow, 'emoji' | 'symbol' | 'userId' | 'createdAt'>

/** Reactions by emoji, each as its first user gave it, in the order of the first reactions. */
export function groupReactions(reactions: readonly Reaction[]): { emoji: string; users: Reaction[] }[] {
  const inOrder = reactions.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
  return [...groupBy(inOrder, ({ symbol }) => symbol).values()].map(users => ({ emoji: users[0]?.emoji ?? '', users }))
}
