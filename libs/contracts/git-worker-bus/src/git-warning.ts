import { z } from 'zod'

/** Something that an import skipped or could not read. */
export const GitWarning = z
  .object({ path: z.string(), message: z.string(), line: z.number().int().optional() })
  .meta({ id: 'GitWarning', description: 'Something that was skipped or could not be read' })
