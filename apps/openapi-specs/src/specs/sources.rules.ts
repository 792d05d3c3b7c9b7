import { posix } from 'node:path'

/** The part of a source that somebody learns: who may change it learns all, members all but the query, which may hold a secret, and visitors nothing. */
export type SourceView = 'whole' | 'withoutQuery' | 'none'

/** A source as somebody sees it; null for nothing of it. */
export function shownSource(source: string | null, view: SourceView): string | null {
  if (source === null || view === 'none') return null
  return view === 'whole' ? source : withoutQuery(source)
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
  const file = URL.parse(url)
  const start = URL.parse(source)
  if (!file || file.origin !== start?.origin) return withoutUrlSecrets(url)
  return posix.relative(posix.dirname(start.pathname), file.pathname)
}

/** A URL, or a reference, without query and fragment. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '')
}
