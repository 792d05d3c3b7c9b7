import { parseWithFaults } from '@recto/schema-faults'
import { z } from 'zod'
import { ComputedGrouping } from '@recto/contracts-shared'
import { parseYaml } from '@recto/markdown'

/** The declaration of computed pages in SUMMARY.md. */
const Declaration = z.object({
  type: z.literal('builtin:openapi', 'only builtin:openapi is known'),
  props: z
    .object({ models: z.boolean().default(true), grouping: ComputedGrouping.optional() })
    .default({ models: true }),
  dependencies: z.object({
    spec: z.object({ ref: z.object({ kind: z.literal('openapi'), spec: z.string().min(1) }) }),
  }),
})

/** The source of computed pages. */
export type ComputedSource = z.output<typeof Declaration>

/** Reads the declaration of computed pages; a string is the message of its fault. */
export function readComputed(text: string): ComputedSource | string {
  const yaml = parseYaml(text)
  if (!yaml.ok) return yaml.message
  const result = parseWithFaults(Declaration, yaml.value)
  if (result.success) return result.data
  const [fault] = result.faults
  return `${fault?.path || 'the block'}: ${fault?.message ?? 'is not valid'}`
}
