import { formulaMarkup } from '../math/formula.ts'
import type { Context } from '../model/context.ts'

interface FormulaProps {
  formula: string
  isDisplay?: boolean
  context: Context
}

/** A formula; one that is not understood as it is written. */
export function Formula({ formula, isDisplay = false, context: { state } }: FormulaProps) {
  state.formulaLeft -= formula.length
  const markup = state.formulaLeft >= 0 ? formulaMarkup(formula, isDisplay) : undefined
  if (markup === undefined) return <code class="formula-source">{formula}</code>
  state.hasMath = true
  return <span class="formula" dangerouslySetInnerHTML={{ __html: markup }} />
}
