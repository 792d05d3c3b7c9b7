/** Who has signed in, and what for. */
export interface SignedIn {
  email: string
  organization: string
  token: string
  expiresAt: Date
}

/** The page that ends a sign-in: it names whose token it shows, so that nobody takes another's for their own. */
export function signedInPage({ email, organization, token, expiresAt }: SignedIn): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Signed in to ${escaped(organization)}</title>
<style>body{font:16px/1.5 sans-serif;max-width:40em;margin:4em auto;padding:0 1em}code{display:block;padding:1em;background:#eee;word-break:break-all;user-select:all}</style>
<h1>Signed in to ${escaped(organization)}</h1>
<p>This access token is for <strong id="email">${escaped(email)}</strong>. If that is not you, close this page.</p>
<p><code id="token">${escaped(token)}</code></p>
<p>It counts in ${escaped(organization)} only, until <time id="expires">${escaped(expiresAt.toISOString())}</time>, and is shown this once.</p>
</html>
`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => entities[character] ?? '')
}
