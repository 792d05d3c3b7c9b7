import escapeHtml from 'escape-html'

/** A completed sign-in. */
export interface SignedIn {
  email: string
  organization: string
  token: string
  tokenId: string
  expiresAt: Date
}

/** The page at the end of a sign-in; it shows whose token it is, so that nobody mistakes another's token for their own. */
export function signedInPage({ email, organization, token, expiresAt }: Omit<SignedIn, 'tokenId'>): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Signed in to ${escapeHtml(organization)}</title>
<style>body{font:16px/1.5 sans-serif;max-width:40em;margin:4em auto;padding:0 1em}code{display:block;padding:1em;background:#eee;word-break:break-all;user-select:all}</style>
<h1>Signed in to ${escapeHtml(organization)}</h1>
<p>This access token is for <strong id="email">${escapeHtml(email)}</strong>. If that is not you, close this page.</p>
<p><code id="token">${escapeHtml(token)}</code></p>
<p>It is valid in ${escapeHtml(organization)} only, until <time id="expires">${escapeHtml(expiresAt.toISOString())}</time>, and is shown this once.</p>
</html>
`
}
