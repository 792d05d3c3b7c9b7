/** One line of the table: what was measured, and what it may be. */
export interface Finding {
  what: string
  value: number
  unit: '%' | 'x' | 'MB' | 's'
  /** Without a budget a finding is for information only. */
  budget?: { atLeast: number } | { atMost: number }
  /** The figures behind the value, in words. */
  detail: string
  /** Per round, for the result file. */
  figures: Record<string, unknown>
}

/** Whether the budget is kept; undefined where there is none. */
export function isKept({ value, budget }: Pick<Finding, 'value' | 'budget'>): boolean | undefined {
  if (!budget) return undefined
  return 'atLeast' in budget ? value >= budget.atLeast : value <= budget.atMost
}
