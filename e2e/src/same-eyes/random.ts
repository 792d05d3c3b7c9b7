/** The claims that conditions name. */
const claims = ['alpha', 'beta'] as const

/** Choices that depend on a seed only. */
export interface Random {
  chance(probability: number): boolean
  of<Item>(items: readonly Item[]): Item
  maybe<Item>(probability: number, make: () => Item): Item | undefined
  condition(): string
  /** A word that nothing else has, and that no search takes for another. */
  word(): string
}

/** Creates choices from a seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const of = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item
  const letters = [...'bcdfghjklmnpqrstvwxz']
  return {
    chance: probability => next() < probability,
    of,
    maybe: (probability, make) => (next() < probability ? make() : undefined),
    condition: () => `visitor.claims.${of(claims)}`,
    word: () => `q${Array.from({ length: 11 }, () => of(letters)).join('')}`,
  }
}
