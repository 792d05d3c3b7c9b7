import type { Failure, FailurePage } from '@recto/operation'
import escapeHtml from 'escape-html'

/** Renders the HTML page that shows a failure to a person: texts of the row, never the failure's own message, and the request id to search the logs for. */
export function failurePage({ title, messages, otherwise }: FailurePage, failure: Failure, requestId: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 sans-serif;max-width:40em;margin:4em auto;padding:0 1em}code{word-break:break-all;user-select:all}</style>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(messages[failure.code] ?? otherwise)}</p>
<p>If you ask for help, name this request: <code id="request">${escapeHtml(requestId)}</code></p>
</main>
</html>
`
}
