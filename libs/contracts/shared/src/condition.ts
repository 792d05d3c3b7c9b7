import { expressionFault } from '@recto/expressions'
import { text } from './conventions.ts'

const maxConditionLength = 1_024

/** A condition as people write it: an expression that can be read. One with a slip would hide from everybody what it is on. */
export const ConditionSource = text({ max: maxConditionLength }).refine(
  source => source.trim() === '' || expressionFault(source) === undefined,
  'must be an expression',
)
