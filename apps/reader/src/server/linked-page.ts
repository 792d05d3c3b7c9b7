import { translator } from '../i18n/index.ts'
import { renderPlain } from '../layout/plain-page.tsx'
import type { PageResponse } from '../responses/page-response.ts'

/** A page of its own, where no site is open. */
interface PlainPage {
  status: number
  title: string
  message: string
  link?: { href: string; text: string }
}

/** Says something in a page of its own, which loads and runs nothing. */
export function linkedPage({ status, title, message: text, link }: PlainPage): PageResponse {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    },
    body: renderPlain({ title, text, t: translator('en'), ...(link && { link }) }),
  }
}
