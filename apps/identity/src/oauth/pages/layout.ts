import { createHash } from 'node:crypto'
import escapeHtml from 'escape-html'

const style = `:root{color-scheme:light dark;--text:#1c1e21;--quiet:#5b6067;--back:#f5f6f7;--card:#fff;--line:#d5d8dc;--strong:#1f5fd6;--on-strong:#fff;--warn:#a4261d}
@media (prefers-color-scheme:dark){:root{--text:#e8eaed;--quiet:#a2a8b0;--back:#15171a;--card:#1e2125;--line:#3a3f46;--strong:#8ab4ff;--on-strong:#0c1a33;--warn:#ff9d94}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:1rem/1.5 system-ui,sans-serif}
main{max-width:30rem;margin:0 auto;padding:1.5rem 1.25rem}
@media (min-width:32rem){main{margin:10vh auto;background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:2rem}}
h1{font-size:1.375rem;line-height:1.3;margin:0 0 1rem}
h2{font-size:1rem;margin:1.5rem 0 .25rem}
ul{padding-left:1.25rem;margin:.25rem 0 1rem}
p{margin:.5rem 0}
.quiet{color:var(--quiet);font-size:.875rem}
.warn{color:var(--warn)}
label{display:block;margin:1rem 0 .25rem;font-weight:600}
input{width:100%;font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.625rem .75rem}
.row{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.25rem}
button,.button{flex:1;min-width:8rem;min-height:2.75rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer;border-radius:.5rem;border:1px solid var(--line);background:var(--card);color:var(--text);padding:.5rem 1rem}
.strong{background:var(--strong);border-color:var(--strong);color:var(--on-strong)}
code{font-size:1.125em;letter-spacing:.05em;word-break:break-all}
a{color:var(--strong)}
:focus-visible{outline:3px solid var(--strong);outline-offset:2px}`

const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/** A page for a person. Its content is HTML, whose values are escaped already. */
export interface Page {
  title: string
  content: string
}

/** Renders a page: it works without scripts, on a phone and in the dark. */
export function renderPage({ title, content }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`
}

/** The headers of a page: nothing is loaded, framed or stored, and its forms lead here, and to where a program is sent back to. */
export function pageHeaders(formTargets: readonly string[] = []): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src ${styleSource}`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  }
}
