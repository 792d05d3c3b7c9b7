import { z } from 'zod'

/** Something that an import skipped or could not read. */
export const GitWarning = z
  .object({ path: z.string(), message: z.string(), line: z.number().int().optional() })
  .meta({ id: 'GitWarning', description: 'Something that was skipped or could not be read' })
/** Codes with which content refuses a push: it is not what the push was made for any more, or takes no changes. */
export const pushRefusals = ['content_moved', 'content_closed'] as const

/** The closed list of codes with which a git operation can fail. */
export const gitErrors = [
  'unreachable',
  'refused_address',
  'unresolvable',
  'authentication_failed',
  'push_rejected',
  'repository_not_found',
  'branch_not_found',
  'invalid_configuration',
  'invalid_repository',
  'too_large',
  'upload_missing',
  ...pushRefusals,
  'timeout',
  'gave_up',
  'internal',
] as const
