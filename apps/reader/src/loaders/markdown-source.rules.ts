/** Where the Markdown of a page comes from. */
export interface MarkdownSource {
  url: string
  revision: string
  /** When the page changed last: ISO 8601. */
  changedAt?: string | undefined
}

/**
 * Says below the title of a page where its Markdown comes from, so that an agent can cite it, and see whether what it has is current. The
 * Markdown of visitors begins with the title.
 */
export function withMarkdownSource(markdown: string, { url, revision, changedAt }: MarkdownSource): string {
  const changed = changedAt === undefined ? '' : `, changed ${changedAt}`
  const source = `> Source: <${url}>, revision \`${revision}\`${changed}`
  const [, title = '', rest = ''] = /^(# [^\n]*)\n*([^]*)$/.exec(markdown) ?? []
  const parts = title === '' ? [source, markdown] : [title, source, rest]
  return `${parts.filter(Boolean).join('\n\n').trimEnd()}\n`
}
