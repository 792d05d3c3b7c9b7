import { parseWithFaults } from '@recto/schema-faults'
import { z } from 'zod'
import { parseYaml } from '@recto/markdown'

/** Pages that are computed from a specification, as SUMMARY.md declares them. */
const Declaration = z.object({
  type: z.literal('builtin:openapi', 'only builtin:openapi is known'),
  props: z.object({ models: z.boolean().default(true) }).default({ models: true }),
  dependencies: z.object({
    spec: z.object({ ref: z.object({ kind: z.literal('openapi'), spec: z.string().min(1) }) }),
  }),
})

/** What computed pages come from. */
export type ComputedSource = z.output<typeof Declaration>

/** Reads the declaration of computed pages, or says what is wrong with it. */
export function readComputed(text: string): ComputedSource | string {
  const yaml = parseYaml(text)
  if (!yaml.ok) return yaml.message
  const parsed = parseWithFaults(Declaration, yaml.value)
  if (parsed.success) return parsed.data
  const [fault] = parsed.faults
  return `${fault?.path || 'the block'}: ${fault?.message ?? 'is not valid'}`
}
