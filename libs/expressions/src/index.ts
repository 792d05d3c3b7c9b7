export { dependsOn } from './depends-on.ts'
export {
  evaluate,
  expressionFault,
  meetsCondition,
  textOfExpression,
  type Evaluated,
  type EvaluationLimits,
} from './evaluate.ts'
export type { Scope } from './interpret.ts'
