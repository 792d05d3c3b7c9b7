import type { PdfRow } from './pdf.entity.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** Milliseconds until the lease of a process that makes a PDF ends, unless it is renewed. */
export const leaseLength = minute
/** Milliseconds for which a PDF is kept after its last request. */
export const pdfLifetime = 7 * day
/** Milliseconds before a PDF that cannot be made is tried again. */
export const faultLifetime = 5 * minute
/** Milliseconds for which the URL of a PDF is valid at least. */
export const urlLifetime = 60 * minute

/** The state of a PDF: it is made, it cannot be made, a process is making it, or no process is. */
export type PdfState = 'made' | 'failed' | 'leased' | 'free'

/** The state of a PDF. One that expires before its URL would is made anew. */
export function pdfState(row: PdfRow | undefined, now: Date): PdfState {
  if (!row) return 'free'
  if (row.hash !== null) return row.expiresAt.getTime() > now.getTime() + 3 * urlLifetime ? 'made' : 'free'
  if (row.fault !== null) return row.expiresAt > now ? 'failed' : 'free'
  return row.leasedUntil > now ? 'leased' : 'free'
}

/** Whether a use must extend the expiry now: at most once a day, so that not every use writes. */
export function isExtensionDue({ expiresAt }: PdfRow, now: Date): boolean {
  return expiresAt.getTime() < now.getTime() + pdfLifetime - day
}
