import { canonicalJson } from '../content-map/content-map.ts'
import { type Conflict, nameOf, type RefusedResolution, type Resolution, type Subject } from './conflict.ts'
import type { Side } from './three-way.ts'

/** A key of the thing that a conflict or resolution names. */
export function subjectKey(subject: Subject): string {
  const name = nameOf(subject)
  return canonicalJson(name === undefined ? [] : [name, subject[name]])
}

/**
 * Which side is taken in each conflict: that of a resolution, else always the same. A side is decided per thing, so all decisions about a
 * thing agree.
 */
export class Decisions {
  /** Conflicts that no resolution settles. */
  readonly open = new Map<string, Conflict>()
  /** The resolutions that settled a conflict. */
  readonly used = new Set<Resolution>()
  /** Resolutions with a fault of their own. */
  readonly refused: RefusedResolution[] = []
  readonly #takes = new Map<string, Resolution & { take: string }>()
  readonly #texts = new Map<string, Resolution & { markdown: string }>()
  readonly #otherwise: Side
  readonly #settlesAll: boolean

  /** `otherwise` is the side of conflicts that no resolution settles; they stay open, unless it settles them all. */
  constructor(resolutions: readonly Resolution[], otherwise: Side, { settlesAll = false } = {}) {
    this.#otherwise = otherwise
    this.#settlesAll = settlesAll
    for (const resolution of resolutions) {
      const key = subjectKey(resolution)
      if ('take' in resolution && !this.#takes.has(key)) this.#takes.set(key, resolution)
      if ('markdown' in resolution && !this.#texts.has(key)) this.#texts.set(key, resolution)
    }
  }

  /** The side that is taken in a conflict. A Markdown resolution keeps a page that `keeper` has and the other side deleted. */
  side(conflict: Conflict, keeper?: Side): Side {
    const key = subjectKey(conflict)
    const taken = this.#takes.get(key)
    if (taken) {
      this.used.add(taken)
      return taken.take === 'main' ? 'main' : 'changeRequest'
    }
    if (keeper && this.#texts.has(key)) return keeper
    this.leave(conflict)
    return this.#otherwise
  }

  /** The text that a resolution gives a page with a conflict. */
  text(subject: Subject): string | undefined {
    const resolution = this.#texts.get(subjectKey(subject))
    if (resolution) this.used.add(resolution)
    return resolution?.markdown
  }

  /** Refuses the text that a resolution gives. */
  refuseText(subject: Subject, reason: string): void {
    const resolution = this.#texts.get(subjectKey(subject))
    if (resolution) this.refused.push({ resolution, reason })
  }

  /** Whether a resolution names a thing. */
  has(subject: Subject): boolean {
    const key = subjectKey(subject)
    return this.#takes.has(key) || this.#texts.has(key)
  }

  /** Lists a conflict as open, once, unless all are settled. */
  leave(conflict: Conflict): void {
    if (this.#settlesAll) return
    const key = `${conflict.kind} ${conflict.field ?? ''} ${subjectKey(conflict)}`
    if (!this.open.has(key)) this.open.set(key, conflict)
  }
}
