import type { RedirectRow } from './redirect.entity.ts'

/** A redirect as the API shows it. */
export function presentRedirect(redirect: RedirectRow) {
  const { id, source, destination, draft, captureWildcard, permanent, createdAt, updatedAt } = redirect
  return {
    object: 'site-redirect' as const,
    id,
    source,
    destination,
    draft,
    captureWildcard,
    permanent,
    createdAt: createdAt.toISOString(),
    ...(updatedAt && { updatedAt: updatedAt.toISOString() }),
  }
}
