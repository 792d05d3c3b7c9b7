import escapeHtml from 'escape-html'

/** The page after a sign-in that began at the authorization pages: it leads back there, by itself and by a link. */
export function continuedPage(url: string): string {
  const address = escapeHtml(url)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="0;url=${address}">
<title>Signed in</title>
<style>body{font:16px/1.5 sans-serif;max-width:40em;margin:4em auto;padding:0 1em}</style>
<h1>Signed in</h1>
<p><a id="continue" href="${address}">Continue</a></p>
</html>
`
}
