import { z } from 'zod'
import { flag, Id, Url, endpoints, onResource } from '@recto/contracts-shared'

const printing = {
  query: z.object({
    page: Id.optional().describe('A page, with the pages below it; the whole content unless given'),
    only: flag(false).describe('`true` leaves out what is below the page'),
  }),
  reply: z
    .object({ url: Url.max(2048).describe('Where the PDF is for an hour, for anybody who has the URL') })
    .meta({ id: 'PDF', description: 'Where a PDF is' }),
  limits: { timeoutMs: 65_000 },
  errors: ['not_found', 'too_large', 'unavailable'],
  description:
    'Waits until the PDF is made, for up to 50 seconds; the making of one that takes longer goes on, so that the same request gets it later. A PDF is made once for a revision and its pages. Hidden pages are left out unless one is named. Content that is too large for a PDF is refused (413).',
} as const

/** The content of a space as a PDF. */
export const pdf = endpoints({
  getSpacePDF: {
    route: 'GET /spaces/{spaceId}/pdf',
    summary: 'Get a URL of the content of a space as PDF',
    ...printing,
    scope: 'space:read',
    access: onResource('read'),
    examples: [{}, { query: { page: '{pageId}' } }],
  },
})

/** The content of a change request as a PDF. */
export const changeRequestPdf = endpoints({
  getChangeRequestPDF: {
    route: 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/pdf',
    summary: 'Get a URL of the content of a change request as PDF',
    ...printing,
    scope: 'space:read',
    access: onResource('read'),
    examples: [{}, { query: { page: '{pageId}' } }],
  },
})
