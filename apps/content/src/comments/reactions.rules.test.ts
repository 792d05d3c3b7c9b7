import { describe, expect, it } from '@jest/globals'
import { groupReactions, symbolOf } from './reactions.rules.ts'

describe('the symbol of an emoji', () => {
  it.each([
    ['👍', '1f44d'],
    ['1F44D', '1f44d'],
    ['1f44d', '1f44d'],
    ['❤️', '2764'],
    ['2764-fe0f', '2764'],
    ['❤', '2764'],
    ['👩‍💻', '1f469-200d-1f4bb'],
    ['🇨🇭', '1f1e8-1f1ed'],
    ['0031-20e3', '31-20e3'],
    ['fe0f', 'fe0f'],
  ])('The symbol of the emoji %s is %s', (emoji, symbol) => expect(symbolOf(emoji)).toBe(symbol))
})

describe('reactions', () => {
  const reaction = (emoji: string, userId: string, second: number) => {
    return { emoji, userId, symbol: symbolOf(emoji), createdAt: new Date(second * 1000) }
  }

  it('Reactions are grouped by emoji, the first emoji first, with their users in order', () => {
    const grouped = groupReactions([reaction('1f44d', 'c', 3), reaction('🎉', 'a', 2), reaction('👍', 'b', 1)])
    expect(grouped.map(({ emoji, users }) => [emoji, users.map(({ userId }) => userId)])).toEqual([
      ['👍', ['b', 'c']],
      ['🎉', ['a']],
    ])
  })

  it('Without reactions there are no groups', () => expect(groupReactions([])).toEqual([]))
})
