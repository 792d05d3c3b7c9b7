import { parseExpressionAt, type Expression } from 'acorn'
import { ExpressionFailure } from './expression-failure.ts'

/** Characters of an expression. */
const maxLength = 1_024

/** Parses the text of one expression, and nothing behind it. */
export function parseSource(source: string): { expression: Expression } | { fault: ExpressionFailure } {
  if (source.length > maxLength)
    return { fault: new ExpressionFailure(`An expression has at most ${maxLength} characters`) }
  try {
    const expression = parseExpressionAt(source, 0, { ecmaVersion: 2022, preserveParens: true })
    const rest = source.slice(expression.end).trim()
    if (rest !== '') return { fault: new ExpressionFailure(`The expression ends before "${rest.slice(0, 20)}"`) }
    return { expression }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { fault: new ExpressionFailure(`This is not an expression: ${reason}`) }
  }
}
