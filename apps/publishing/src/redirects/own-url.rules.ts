import type { Addressed } from '../addresses/addresses.rules.ts'
import { ownParts, readUrl } from '../addresses/site-address.rules.ts'

/** Whether a URL is at an address of a site itself, or of its previews: a redirect to it could lead round in a circle. */
export function isOwnUrl(
  url: string,
  site: Addressed & { id: string },
  { sitesUrl, readerUrl }: { sitesUrl: string; readerUrl: string | undefined },
): boolean {
  const target = readUrl(url)
  if (!target) return false
  if (ownParts(site, target, sitesUrl) !== undefined) return true
  const preview = readerUrl === undefined ? undefined : readUrl(`${readerUrl}/url/preview/${site.id}`)
  return (
    preview !== undefined &&
    target.host === preview.host &&
    preview.parts.every((part, at) => part === target.parts[at])
  )
}
