import type { Authenticated } from '@recto/operation'
import type { BookLimits } from '@recto/pdf'
import type { BaseContext } from '../shared/context.ts'
import type { PdfMaker } from './pdf-maker.ts'

/** The context of handlers that make PDFs. */
export interface BasePdfContext extends BaseContext {
  /** Makes PDFs in this process. */
  pdfMaker: Pick<PdfMaker, 'make'>
  /** How PDFs are made, and the milliseconds that a request waits for one. */
  printing: { limits: BookLimits; fonts: string[]; wait: number }
}

/** The same with the actor, who is known. */
export type PdfContext = Authenticated<BasePdfContext>
