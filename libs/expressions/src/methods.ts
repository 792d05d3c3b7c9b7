import { ExpressionFailure } from './expression-failure.ts'

/** A function of an expression. */
export type Callback = (...args: unknown[]) => unknown
type Method<Target> = (target: Target, args: unknown[], step: () => void) => unknown

/** Characters of a text, and items of a list, that an expression may make. */
const maxSize = 10_000

const text = (value: unknown): string => {
  if (typeof value === 'string') return value
  throw new ExpressionFailure('requireText')
}
const plainText = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  if (['string', 'number', 'boolean'].includes(typeof value)) return String(value)
  throw new ExpressionFailure('A list is joined of texts, numbers and booleans only')
}
const toInteger = (value: unknown): number | undefined => (typeof value === 'number' ? Math.trunc(value) : undefined)
const requireCallback = (value: unknown): Callback => {
  if (typeof value === 'function') return value as Callback
  throw new ExpressionFailure('A function was expected')
}

/** Calls a test for each item, each of which counts as a step. */
const each =
  (use: (target: unknown[], test: Callback) => unknown): Method<unknown[]> =>
  (target, [test], step) => {
    const call = requireCallback(test)
    return use(target, (...args) => (step(), call(...args)))
  }

const ofArrays: Record<string, Method<unknown[]>> = {
  includes: (target, [item]) => target.includes(item),
  indexOf: (target, [item]) => target.indexOf(item),
  join: (target, [separator = ',']) => bounded(target.map(plainText).join(text(separator))),
  every: each((target, test) => target.every((item, at) => test(item, at))),
  some: each((target, test) => target.some((item, at) => test(item, at))),
  filter: each((target, test) => target.filter((item, at) => test(item, at))),
  find: each((target, test) => target.find((item, at) => test(item, at))),
  map: each((target, change) => target.map((item, at) => change(item, at))),
}

const ofTexts: Record<string, Method<string>> = {
  includes: (target, [part]) => target.includes(text(part)),
  startsWith: (target, [part]) => target.startsWith(text(part)),
  endsWith: (target, [part]) => target.endsWith(text(part)),
  indexOf: (target, [part]) => target.indexOf(text(part)),
  toLowerCase: target => target.toLowerCase(),
  toUpperCase: target => target.toUpperCase(),
  trim: target => target.trim(),
  split: (target, [separator]) => bounded(target.split(text(separator))),
  slice: (target, [start, end]) => target.slice(toInteger(start), toInteger(end)),
}

/** Calls a method of a text or a list; throws for a method that is not allowed. */
export function callMethod(
  target: unknown,
  { name, args }: { name: string; args: unknown[] },
  step: () => void,
): unknown {
  if (Array.isArray(target) && Object.hasOwn(ofArrays, name)) return ofArrays[name]?.(target, args, step)
  if (typeof target === 'string' && Object.hasOwn(ofTexts, name)) return ofTexts[name]?.(target, args, step)
  throw new ExpressionFailure(`${name} is not a function of this value`)
}

/** The value itself; throws when it is longer than an expression may make. */
export function bounded<Value extends { length: number }>(value: Value): Value {
  if (value.length > maxSize) throw new ExpressionFailure(`A value has at most ${maxSize} characters or items`)
  return value
}
