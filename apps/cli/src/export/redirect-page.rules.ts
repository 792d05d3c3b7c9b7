import escapeHtml from 'escape-html'

/** A page that leads to another one, as no server answers with a redirect. */
export function redirectPage(url: string, title: string): string {
  // A quotation mark at its start would end the address of a refresh.
  const href = escapeHtml(url.replaceAll("'", '%27'))
  const text = escapeHtml(title)
  return `<!doctype html>
<html>
  <head>
    <meta charset="utf-8">
    <title>${text}</title>
    <meta http-equiv="refresh" content="0; url=${href}">
    <link rel="canonical" href="${href}">
    <meta name="robots" content="noindex">
  </head>
  <body><a href="${href}">${text}</a></body>
</html>
`
}
