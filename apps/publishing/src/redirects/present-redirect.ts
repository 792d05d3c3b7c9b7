import type { RedirectRow } from './redirect.entity.ts'

/** A redirect as the API shows it. */
export function presentRedirect({ siteId: _siteId, createdAt, updatedAt, ...redirect }: RedirectRow) {
  return {
    object: 'site-redirect' as const,
    ...redirect,
    createdAt: createdAt.toISOString(),
    ...(updatedAt && { updatedAt: updatedAt.toISOString() }),
  }
}
