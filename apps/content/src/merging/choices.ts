import { type DetectedConflict, type Resolution, type Subject, subjectKey } from './conflict.ts'
import type { Side } from './three-way.ts'

/** The side or text that each thing in conflict gets. A side is chosen per thing, so that all its conflicts are settled alike. */
export interface Choices {
  /** The sides that resolutions take, by `subjectKey`. */
  sides: ReadonlyMap<string, Side>
  /** The Markdown that resolutions give, by `subjectKey`. */
  texts: ReadonlyMap<string, string>
  /** The side of the things without a resolution. */
  otherwise: Side
}

/** The choices that resolutions make; of several alike about a thing, the first counts. */
export function choicesOf(resolutions: readonly Resolution[], otherwise: Side): Choices {
  const sides = new Map<string, Side>()
  const texts = new Map<string, string>()
  for (const resolution of resolutions) {
    const key = subjectKey(resolution)
    if ('take' in resolution && !sides.has(key)) sides.set(key, resolution.take === 'main' ? 'main' : 'changeRequest')
    if ('markdown' in resolution && !texts.has(key)) texts.set(key, resolution.markdown)
  }
  return { sides, texts, otherwise }
}

/** The side that is taken in the conflicts of a thing. */
export function sideOf({ sides, otherwise }: Choices, subject: Subject): Side {
  return sides.get(subjectKey(subject)) ?? otherwise
}

/** The side that is taken where one side has edited a thing and the other deleted it: a Markdown keeps the thing. */
export function sideOfDeleted(choices: Choices, subject: Subject, editingSide: Side): Side {
  const key = subjectKey(subject)
  return choices.sides.get(key) ?? (choices.texts.has(key) ? editingSide : choices.otherwise)
}

/** The text that a resolution gives a page. */
export function textOf({ texts }: Choices, subject: Subject): string | undefined {
  return texts.get(subjectKey(subject))
}

/** Whether a resolution names a thing. */
export function isNamed({ sides, texts }: Choices, subject: Subject): boolean {
  const key = subjectKey(subject)
  return sides.has(key) || texts.has(key)
}

/** Whether a resolution settles a conflict. */
export function isSettled({ sides, texts }: Choices, { conflict, settledBy }: DetectedConflict): boolean {
  const key = subjectKey(conflict)
  if (settledBy === 'none') return false
  return sides.has(key) || (settledBy === 'side or text' && texts.has(key))
}
