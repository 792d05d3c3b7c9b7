import { withoutQuery } from '../specs/sources.rules.ts'
import type { SpecRow } from '../specs/spec.entity.ts'
import type { VersionRow } from './version.entity.ts'

/** Characters of a URL in the published schema. */
const maxUrlLength = 2_048

/**
 * The source that a version was read from; null for a text. Versions that did not record it have the address to which redirects led,
 * perhaps signed: it counts without its query, unless it is the source that is set.
 */
export function sourceOf(
  { sourceUrl, url }: Pick<VersionRow, 'sourceUrl' | 'url'>,
  spec: Pick<SpecRow, 'sourceUrl'>,
): string | null {
  if (sourceUrl !== null || url === null) return sourceUrl
  if (spec.sourceUrl !== null && [spec.sourceUrl, new URL(spec.sourceUrl).href].includes(url)) return spec.sourceUrl
  const address = withoutQuery(url)
  return address.length > maxUrlLength ? null : address
}
