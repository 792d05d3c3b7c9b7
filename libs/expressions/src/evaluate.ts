import type { Expression } from 'acorn'
import { LRUCache } from 'lru-cache'
import { ExpressionFailure } from './expression-failure.ts'
import { interpret, type Scope } from './interpret.ts'
import { parseSource } from './parse-source.ts'

/** The result of an expression: its value, or why it has none. */
export type Evaluated = { ok: true; value: unknown } | { ok: false; message: string }

/** Limits of an evaluation. */
export interface EvaluationLimits {
  /** Evaluated syntax nodes; 10,000 unless given. */
  maxSteps?: number
}

const maxCached = 2_000
const parsed = new LRUCache<string, { expression: Expression } | { fault: ExpressionFailure }>({ max: maxCached })

/** Evaluates an expression over plain data. Never throws: syntax errors, missing values and exceeded limits are faults with a message. */
export function evaluate(source: string, scope: Scope, { maxSteps = 10_000 }: EvaluationLimits = {}): Evaluated {
  const outcome = parsed.get(source) ?? parseOnce(source)
  if ('fault' in outcome) return { ok: false, message: outcome.fault.message }
  try {
    return { ok: true, value: interpret(outcome.expression, { scope, maxSteps }) }
  } catch (error) {
    if (error instanceof ExpressionFailure) return { ok: false, message: error.message }
    // The only other error of the evaluator: nesting beyond the stack.
    if (error instanceof RangeError) return { ok: false, message: 'The expression is nested too deeply' }
    throw error
  }
}

/** Whether a condition holds: an empty one does, one that cannot be evaluated does not. */
export function meetsCondition(condition: string | undefined, scope: Scope, limits?: EvaluationLimits): boolean {
  if (condition === undefined || condition.trim() === '') return true
  const result = evaluate(condition, scope, limits)
  return result.ok && Boolean(result.value)
}

/** The text that an expression shows: of strings, numbers and booleans; nothing for other values, and for one that cannot be evaluated. */
export function textOfExpression(source: string, scope: Scope, limits?: EvaluationLimits): string {
  const result = evaluate(source, scope, limits)
  if (!result.ok) return ''
  return ['string', 'number', 'boolean'].includes(typeof result.value) ? String(result.value) : ''
}

/** Why a text is no expression, or undefined when it is one. */
export function expressionFault(source: string): string | undefined {
  const outcome = parsed.get(source) ?? parseOnce(source)
  return 'fault' in outcome ? outcome.fault.message : undefined
}

function parseOnce(source: string): { expression: Expression } | { fault: ExpressionFailure } {
  const result = parseSource(source)
  parsed.set(source, result)
  return result
}
