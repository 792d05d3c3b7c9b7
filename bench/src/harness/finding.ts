/** One line of the table: a measured value and its budget. */
export interface Finding {
  what: string
  value: number
  unit: '%' | 'x' | 'MB' | 's' | 'ms' | 'per second'
  /** A finding without a budget is informational. */
  budget?: { atLeast: number } | { atMost: number }
  /** The measured figures as text. */
  detail: string
  /** The figures of each round, for the result file. */
  figures: Record<string, unknown>
}

/** Whether the value is within the budget; undefined when there is none. */
export function isWithinBudget({ value, budget }: Pick<Finding, 'value' | 'budget'>): boolean | undefined {
  if (!budget) return undefined
  return 'atLeast' in budget ? value >= budget.atLeast : value <= budget.atMost
}
