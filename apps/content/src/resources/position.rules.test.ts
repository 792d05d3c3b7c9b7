import fc from 'fast-check'
import { describe, expect, it } from '@jest/globals'
import { positionAfter } from './ordering.rules.ts'
import { type Anchors, isUnchanged, positionAt, type Sibling } from './position.rules.ts'

const positions: string[] = []
for (let at = 0; at < 6; at += 1) positions.push(positionAfter(positions.at(-1) ?? null))
const sibling = (id: string, at: number, isVisible = true): Sibling => ({
  type: id === id.toUpperCase() ? 'collection' : 'space',
  id,
  position: positions[at] ?? '',
  isVisible,
})
/** Capitals are collections; `x` is deleted or hidden. */
const siblings = [sibling('a', 0), sibling('B', 1), sibling('x', 2, false), sibling('c', 3), sibling('d', 4)]
const space = (id: string) => ({ type: 'space' as const, space: id })
const collection = (id: string) => ({ type: 'collection' as const, collection: id })

/** The order of ids after a move. */
function order(list: Sibling[], moved: { type: 'space' | 'collection'; id: string }, position: string): string {
  const others = list.filter(({ type, id }) => type !== moved.type || id !== moved.id)
  return [...others, { ...moved, position }]
    .sort((one, other) => (one.position < other.position ? -1 : 1))
    .map(({ id }) => id)
    .join('')
}

describe('positionAt', () => {
  it.each<[string, string, Anchors, string]>([
    ['without anchors at the end', 'a', {}, 'Bxcda'],
    ['somebody new at the end', 'n', {}, 'aBxcdn'],
    ['before the first', 'd', { before: space('a') }, 'daBxc'],
    ['before a collection', 'd', { before: collection('B') }, 'adBxc'],
    ['after the last', 'a', { after: space('d') }, 'Bxcda'],
    ['after one', 'd', { after: space('a') }, 'adBxc'],
    ['between neighbours', 'd', { after: space('a'), before: collection('B') }, 'adBxc'],
    ['between neighbours beside what nobody sees', 'd', { after: collection('B'), before: space('c') }, 'aBxdc'],
    [
      'between the remaining neighbours without the moved object',
      'c',
      { after: collection('B'), before: space('d') },
      'aBxcd',
    ],
  ])('positionAt places %s', (_case, id, anchors, expected) => {
    const moved = { type: 'space' as const, id }
    expect(order(siblings, moved, positionAt(siblings, moved, anchors))).toBe(expected)
  })

  it.each<[string, Anchors, string]>([
    ['one that is no sibling', { before: space('n') }, 'body.position.before'],
    ['one of the other kind', { after: collection('a') }, 'body.position.after'],
    ['one that is hidden', { after: space('x') }, 'body.position.after'],
    ['itself', { before: space('d') }, 'body.position.before'],
    ['neighbours in the wrong order', { before: space('a'), after: collection('B') }, 'body.position'],
    ['two that are no neighbours', { after: space('a'), before: space('c') }, 'body.position'],
    ['the same one twice', { after: space('a'), before: space('a') }, 'body.position'],
  ])('positionAt refuses an anchor: %s', (_case, anchors, path) => {
    const refused = expect.objectContaining({
      code: 'invalid_request',
      details: [{ path, message: expect.any(String) }],
    })
    expect(() => positionAt(siblings, { type: 'space', id: 'd' }, anchors)).toThrow(refused)
  })

  it('positionAt keeps the order of all others, and unique positions', () => {
    const moves = fc.array(fc.record({ from: fc.nat(19), to: fc.nat(19), isBefore: fc.boolean() }), { maxLength: 200 })
    fc.assert(
      fc.property(moves, all => {
        let list: Sibling[] = []
        for (let at = 0; at < 20; at += 1)
          list.push({
            type: 'space',
            id: `s${at}`,
            position: positionAfter(list.at(-1)?.position ?? null),
            isVisible: true,
          })
        for (const { from, to, isBefore } of all) {
          const moved = list[from]
          const anchor = list[to]
          if (!moved || !anchor || moved === anchor) continue
          const position = positionAt(
            list,
            moved,
            isBefore ? { before: space(anchor.id) } : { after: space(anchor.id) },
          )
          const others = list.filter(one => one !== moved)
          const at = others.indexOf(anchor) + (isBefore ? 0 : 1)
          const expected = [...others.slice(0, at), moved, ...others.slice(at)].map(({ id }) => id)
          list = [...others, { ...moved, position }].sort((one, other) => (one.position < other.position ? -1 : 1))
          expect(list.map(({ id }) => id)).toEqual(expected)
          expect(new Set(list.map(one => one.position)).size).toBe(20)
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('isUnchanged', () => {
  it.each<[string, string, Anchors, boolean]>([
    ['the last at the end', 'd', {}, true],
    ['another at the end', 'c', {}, false],
    ['one before who follows it', 'a', { before: collection('B') }, true],
    ['one after who precedes it', 'c', { after: collection('B') }, true],
    ['one after itself but one', 'a', { after: collection('B') }, false],
    ['somebody new', 'n', {}, false],
  ])('A move is unchanged, %s: %s', (_case, id, anchors, expected) => {
    const moved = { type: 'space' as const, id }
    expect(isUnchanged(siblings, moved, positionAt(siblings, moved, anchors))).toBe(expected)
  })
})
