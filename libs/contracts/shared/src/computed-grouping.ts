import { z } from 'zod'

/** How the pages of a specification are grouped. */
export const ComputedGrouping = z
  .enum(['by-tag', 'by-operation'])
  .describe('A page for each tag, unless given, or below it one for each of its operations')
