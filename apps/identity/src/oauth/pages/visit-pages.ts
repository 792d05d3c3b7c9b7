import type { VisitRequest } from '@recto/actor/visit-request'
import escapeHtml from 'escape-html'
import { hidden, messagePage, signedInAs, type PageForm } from './pages.ts'
import type { Page } from './layout.ts'

/** Why a browser is not sent to a site. */
export type VisitRefusal = 'no-session' | 'needs-single-sign-on' | 'lacks-scope' | 'not-visible'

/** The page of an address that no site has made. */
export function badVisitPage(): Page {
  return messagePage('This does not go on', 'Open the site again.')
}

/** The page of a request that has taken too long. */
export function expiredVisitPage(site: VisitRequest): Page {
  return {
    title: 'This took too long',
    content: `<p id="message">Open the site again.</p>\n${links([siteLink(site)])}`,
  }
}

/** The page that asks a person who came from a site whether to sign out. */
export function signOutPage(parts: { host: string; email: string; form: PageForm; request: string }): Page {
  const { host, email, form, request } = parts
  const content = `${signedInAs(email)}
<p id="message">You come from ${escapeHtml(host)}. Signing out ends this session here, and on all sites that you read with it in this browser.</p>
<form method="post" action="${escapeHtml(form.action)}">
${hidden('csrf', form.csrf)}
${hidden('request', request)}
<div class="row"><button class="strong">Sign out</button></div>
</form>`
  return { title: 'Sign out?', content }
}

/** The page that says to a person why they do not read a site, and lets them use another account. */
export function refusedVisitPage(parts: {
  reason: VisitRefusal
  site: VisitRequest
  otherAccount: string
  /** The scopes that a token needs to read sites. */
  scopes: readonly string[]
  email?: string
}): Page {
  const { reason, site, email, otherAccount } = parts
  const signedIn = email === undefined ? '' : `${signedInAs(email)}\n`
  const other = { href: otherAccount, text: 'Use another account' }
  return {
    title: reason === 'no-session' ? 'You are not signed in' : `You do not see ${site.host}`,
    content: `${signedIn}<p id="message">${escapeHtml(textOf(parts))}</p>\n${links(reason === 'no-session' ? [siteLink(site)] : [other])}`,
  }
}

/** The reason in words; none of them names the organization, which whoever does not see the site may not know of. */
function textOf({ reason, scopes }: { reason: VisitRefusal; scopes: readonly string[] }): string {
  if (reason === 'no-session') return 'Your browser has kept no cookie. Allow cookies, and open the site again.'
  if (reason === 'not-visible') return 'This site is for members of its organization, and not open to this account.'
  if (reason === 'lacks-scope')
    return `The token that you have signed in with does not read sites: it lacks ${scopes.join(' or ')}. Use another account, and sign in with another token.`
  return 'This site needs the single sign-on of its organization. Use another account, and sign in with that.'
}

/** The link to the beginning of a site. */
function siteLink({ redirectUri, host }: VisitRequest): { href: string; text: string } {
  return { href: redirectUri.replace(/~recto\/.*$/, ''), text: `Open ${host}` }
}

function links(all: { href: string; text: string }[]): string {
  const buttons = all.map(({ href, text }) => `<a class="button" href="${escapeHtml(href)}">${escapeHtml(text)}</a>`)
  return `<div class="row">${buttons.join('')}</div>`
}
