import type { Failure, FailurePage } from '@recto/operation'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** The page that shows a failure to a person: words of the row, never those of the failure, and the id by which it is found in the logs. */
export function failurePage({ title, says, otherwise }: FailurePage, failure: Failure, requestId: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>body{font:16px/1.5 sans-serif;max-width:40em;margin:4em auto;padding:0 1em}code{word-break:break-all;user-select:all}</style>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(says[failure.code] ?? otherwise)}</p>
<p>If you ask for help, name this request: <code id="request">${escaped(requestId)}</code></p>
</main>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => entities[character] ?? '')
}
