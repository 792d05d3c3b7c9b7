import { posix } from 'node:path'
import type { SpecRow } from './spec.entity.ts'
import type { VersionRow } from '../versions/version.entity.ts'

/** Characters of a URL in the published schema. */
const maxUrlLength = 2_048

/** How much of a source somebody learns: who may change it all, members no query, which may hold a secret, and visitors nothing. */
export type SourceView = 'whole' | 'withoutQuery' | 'none'

/** A source as somebody sees it; null for nothing of it. */
export function shownSource(source: string | null, view: SourceView): string | null {
  if (source === null || view === 'none') return null
  return view === 'whole' ? source : withoutQuery(source)
}

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

/** A message without the credentials, queries and fragments of URLs that it quotes. */
export function withoutUrlSecrets(message: string): string {
  return message.replaceAll(/\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>`]+/gi, url =>
    withoutQuery(url).replace(/:\/\/[^/@]*@/, '://'),
  )
}

/** The name of a file in errors: relative to the source where both are on one server, since redirects may have led there. */
export function fileName(url: string, source: string): string {
  if (url === '') return 'The text'
  if (url === source) return 'The source'
  const [file, start] = [URL.parse(url), URL.parse(source)]
  if (!file || file.origin !== start?.origin) return withoutUrlSecrets(url)
  return posix.relative(posix.dirname(start.pathname), file.pathname)
}

/** A URL, or a reference, without query and fragment. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '')
}
