import { groupBy } from '../lists/group-by.ts'
import type { ReactionRow } from './reaction.entity.ts'

/** The variation selector that shows the character before it as an emoji, which reactions are anyway. */
const asEmoji = 'fe0f'

/** The symbol of an emoji, the same for all its spellings: its code points without variation selectors. */
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

/** Groups reactions by emoji, as its first user spelled it, in the order of the first reactions. */
export function groupReactions(reactions: readonly Reaction[]): { emoji: string; users: Reaction[] }[] {
  const inOrder = reactions.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
  return [...groupBy(inOrder, ({ symbol }) => symbol).values()].map(users => ({ emoji: users[0]?.emoji ?? '', users }))
}
