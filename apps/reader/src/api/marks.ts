import { LRUCache } from 'lru-cache'

/**
 * Marks of replies: texts that change with everything that a reply depends on, so that a reply which comes with a mark confirms all others
 * that have it.
 */
export interface Marks {
  /** Notes that a reply with this mark has come, and when it was asked for, by the clock of the process. */
  see(mark: string, askedAt: number): void
  /** Notes that somebody asks for a reply that had this mark last; it resolves to the mark that the reply has. */
  ask(mark: string, reply: Promise<string | undefined>): void
  /** Whether a reply with this mark has come lately. */
  isSeen(mark: string): boolean
  /** The mark that a reply will have which had this one last, and for which somebody asks; undefined when nobody does. */
  nextOf(mark: string): Promise<string | undefined> | undefined
  /** Forgets which replies have come, and those that have been asked for. */
  forget(): void
}

/** Marks that are noted at a time. */
const maxMarks = 20_000

/** Creates marks that are confirmed for so many milliseconds from when a reply was asked for. */
export function createMarks(confirmedFor: number): Marks {
  const seen = new LRUCache<string, true>({ max: maxMarks, ttl: Math.max(1, confirmedFor) })
  const nextMarks = new Map<string, Promise<string | undefined>>()
  let forgottenAt = 0
  return {
    see(mark, askedAt) {
      if (askedAt >= forgottenAt) seen.set(mark, true, { start: askedAt })
    },
    ask(mark, reply) {
      const answer = reply
        .catch(() => undefined)
        .finally(() => nextMarks.get(mark) === answer && nextMarks.delete(mark))
      nextMarks.set(mark, answer)
    },
    isSeen: mark => seen.has(mark),
    nextOf: mark => nextMarks.get(mark),
    forget() {
      forgottenAt = performance.now()
      seen.clear()
      nextMarks.clear()
    },
  }
}
