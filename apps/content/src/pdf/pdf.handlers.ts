import { changeRequestPdf, pdf } from '@recto/contracts-content'
import { feature } from '@recto/operation'
import { readableChangeRequest } from '../change-requests/readable-change-request.ts'
import { readableSpace } from '../spaces/readable-space.ts'
import type { BasePdfContext } from './pdf.context.ts'
import { pdfUrl } from './space-pdf.ts'

export const pdfFeature = feature<BasePdfContext>()(pdf, {
  async getSpacePDF({ params, query: { page, only } }, context) {
    const { space } = await readableSpace(context, params.spaceId)
    return pdfUrl({ space, revision: space.revision, selection: { page, only: only === 'true' } }, context)
  },
})

export const changeRequestPdfFeature = feature<BasePdfContext>()(changeRequestPdf, {
  async getChangeRequestPDF({ params, query: { page, only } }, context) {
    const { space, changeRequest } = await readableChangeRequest(context, params)
    return pdfUrl({ space, revision: changeRequest.revision, selection: { page, only: only === 'true' } }, context)
  },
})
