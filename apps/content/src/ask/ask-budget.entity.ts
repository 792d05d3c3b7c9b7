import type { EntityColumns } from '@recto/database'
import { EntitySchema } from 'typeorm'

/** The questions of an organization on a day; the next day begins it anew. */
export interface AskBudgetRow {
  organizationId: string
  /** The day in UTC, such as `2026-11-25`. */
  day: string
  questions: number
  tokens: number
}

export const AskBudgetEntity = new EntitySchema<AskBudgetRow>({
  name: 'AskBudget',
  tableName: 'ask_budgets',
  columns: {
    organizationId: { type: 'text', primary: true, name: 'organization_id' },
    day: { type: 'text' },
    questions: { type: 'int' },
    tokens: { type: 'int' },
  } satisfies EntityColumns<AskBudgetRow>,
})
