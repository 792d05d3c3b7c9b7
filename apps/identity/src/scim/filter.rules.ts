import { parse, type Compare, type Filter, type ValuePath } from 'scim2-parse-filter'
import { scimFault } from './scim-fault.ts'

/** Comparisons of one filter, and how deep they are nested. */
const maxComparisons = 100
const maxNesting = 20
const nesting = /[([]|\bnot\b/gi

export type { Filter } from 'scim2-parse-filter'

/** The comparison of an attribute with a value, or whether it is present. */
export interface Comparison {
  op: Compare['op'] | 'pr'
  attribute: string
  value?: string | number | boolean | null
}

/** Parses a filter of RFC 7644; throws `invalidFilter` for one that is none, or too large. */
export function parseFilter(text: string): Filter {
  if ((text.match(nesting)?.length ?? 0) > maxComparisons) throw scimFault('invalidFilter', 'The filter is too large')
  const filter = parsed(text)
  requireBounded(filter)
  return filter
}

function parsed(text: string): Filter {
  try {
    return parse(text)
  } catch (error) {
    const { message } = error as Error
    throw scimFault('invalidFilter', `The filter is not valid: ${message.slice(0, 200)}`)
  }
}

function requireBounded(filter: Filter, depth = 0): number {
  const comparisons = childrenOf(filter).reduce((sum, child) => sum + requireBounded(child, depth + 1), 1)
  if (depth > maxNesting || comparisons > maxComparisons) throw scimFault('invalidFilter', 'The filter is too large')
  return comparisons
}

function childrenOf(filter: Filter): Filter[] {
  if ('filters' in filter) return filter.filters
  if ('filter' in filter) return [filter.filter]
  return 'valFilter' in filter ? [filter.valFilter] : []
}

/** The comparison that a part of a filter is; undefined for one that combines others. */
export function comparisonOf(filter: Filter): Comparison | undefined {
  if (filter.op === 'pr') return { op: 'pr', attribute: filter.attrPath }
  if (!('compValue' in filter)) return undefined
  return { op: filter.op, attribute: filter.attrPath, value: filter.compValue as Comparison['value'] & {} }
}

/** Whether a part of a filter selects values of an attribute: `emails[type eq "work"]`. */
export function isValuePath(filter: Filter): filter is ValuePath {
  return filter.op === '[]'
}
