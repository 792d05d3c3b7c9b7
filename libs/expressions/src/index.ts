export {
  evaluate,
  expressionFault,
  meetsCondition,
  textOfExpression,
  type Evaluated,
  type EvaluationLimits,
} from './evaluate.ts'
export type { Scope } from './interpret.ts'
