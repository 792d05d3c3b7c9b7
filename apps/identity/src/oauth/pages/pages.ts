import escapeHtml from 'escape-html'
import type { Page } from './layout.ts'

/** A program as a person is told about it. */
export interface ShownProgram {
  name: string
  /** Where the person is sent back to; null for a device. */
  place: { isLoopback: boolean; name: string } | null
  origin: ProgramOrigin
}

/** Who has named a program: this software, an operator, an administrator of an organization, or itself. */
export type ProgramOrigin = 'built-in' | 'installation' | 'organization' | 'itself'

const originText: Record<ProgramOrigin, string> = {
  'built-in': 'It belongs to this installation.',
  installation: 'The operators of this installation have registered it.',
  organization: 'An administrator of your organization has registered it.',
  itself: 'Nobody has checked its name.',
}

/** A form of a page: where it leads, and what proves that this page has sent it. */
export interface PageForm {
  action: string
  csrf: string
}

/** A sign-in of an organization. */
export interface ShownLogin {
  label: string
  url: string
}

/** A field of a form that nobody sees. */
export const hidden = (name: string, value: string) =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`
const warning = (text: string | undefined) =>
  text === undefined ? '' : `<p class="warn" role="alert">${escapeHtml(text)}</p>`

/** The page on which a person signs in. */
export function signInPage(parts: {
  program: ShownProgram
  /** The host of the site that the person wants to read, where no program asks. */
  host?: string
  token: PageForm
  organization: PageForm
  /** The text that was typed to find an organization, and its sign-ins. */
  search?: { text: string; logins: ShownLogin[] }
  fault?: string
}): Page {
  const { program, host, token, organization, search, fault } = parts
  const purpose =
    host === undefined ? `${program.name} asks for access. Sign in to decide.` : `Sign in to read ${host}.`
  const logins = (search?.logins ?? []).map(
    ({ label, url }) => `<a class="button strong" href="${escapeHtml(url)}">Sign in with ${escapeHtml(label)}</a>`,
  )
  const content = `<p>${escapeHtml(purpose)}</p>
${warning(fault)}
<h2>With your organization</h2>
${logins.length > 0 ? `<div class="row">${logins.join('')}</div>` : ''}
<form method="post" action="${escapeHtml(organization.action)}">
${hidden('csrf', organization.csrf)}
<label for="organization">E-mail at work, or id of the organization</label>
<input id="organization" name="organization" value="${escapeHtml(search?.text ?? '')}" autocomplete="email" autocapitalize="off" spellcheck="false" required maxlength="254">
<div class="row"><button>Find the sign-in</button></div>
</form>
<h2>With an access token</h2>
<form method="post" action="${escapeHtml(token.action)}">
${hidden('csrf', token.csrf)}
<label for="token">Access token of your own, which may issue tokens</label>
<input id="token" name="token" type="password" autocomplete="off" autocapitalize="off" spellcheck="false" required maxlength="255">
<div class="row"><button>Sign in</button></div>
</form>`
  return { title: 'Sign in', content }
}

const answerForm = (form: PageForm, buttons: string) => `<form method="post" action="${escapeHtml(form.action)}">
${hidden('csrf', form.csrf)}
<div class="row">${buttons}</div>
</form>`
/** Says who is signed in. */
export const signedInAs = (email: string) => `<p>You are signed in as <strong>${escapeHtml(email)}</strong>.</p>`
const otherAccount = '<button name="decision" value="switch">Use another account</button>'

/** The page for a person with whose account nothing can be allowed, and why. */
export function refusedPage(parts: { program: ShownProgram; email: string; reason: string; form: PageForm }): Page {
  const content = `${signedInAs(parts.email)}
<p class="warn" id="message">${escapeHtml(parts.reason)}</p>
${answerForm(parts.form, `<button name="decision" value="deny">Cancel</button>${otherAccount}`)}`
  return { title: `${parts.program.name} gets no access`, content }
}

/** The page on which a person allows or denies what a program asks for. */
export function consentPage(parts: {
  program: ShownProgram
  email: string
  organizations: string[]
  scopes: string[]
  until: string
  form: PageForm
}): Page {
  const { program, email, organizations, scopes, until, form } = parts
  const item = (text: string) => `<li>${escapeHtml(text)}</li>`
  const content = `${signedInAs(email)}
<p><strong>${escapeHtml(program.name)}</strong> ${placeText(program)}. ${originText[program.origin]} Allow it only if you began this yourself.</p>
<h2>It could, as you</h2>
<ul id="scopes">${scopes.map(item).join('')}</ul>
<h2>In</h2>
<ul id="organizations">${organizations.map(item).join('')}</ul>
<p class="quiet">It never can do more than you. This holds until ${escapeHtml(until)}, and you can end it before.</p>
${answerForm(form, '<button name="decision" value="deny">Deny</button><button class="strong" name="decision" value="allow">Allow</button>')}
<p class="quiet">Not you?</p>
${answerForm(form, otherAccount)}`
  return { title: `Allow ${program.name}?`, content }
}

function placeText({ place }: ShownProgram): string {
  if (place === null) return 'is a program on the device whose code you have confirmed'
  if (place.isLoopback) return `is a program on this computer (<code>${escapeHtml(place.name)}</code>)`
  return `sends you back to <code>${escapeHtml(place.name)}</code>`
}

/** The page on which a person enters the code of a device. */
export function deviceCodePage(parts: PageForm & { code: string; fault?: string | undefined }): Page {
  const content = `<p>Enter the code that the program shows.</p>
${warning(parts.fault)}
<form method="post" action="${escapeHtml(parts.action)}">
${hidden('xsrf', parts.csrf)}
<label for="user_code">Code</label>
<input id="user_code" name="user_code" value="${escapeHtml(parts.code)}" autocomplete="off" autocapitalize="characters" spellcheck="false" required maxlength="20">
<div class="row"><button class="strong">Continue</button></div>
</form>`
  return { title: 'Connect a program', content }
}

/** The page on which a person confirms that the code is the one of their device. */
export function deviceConfirmPage(parts: PageForm & { code: string; userCode: string; name: string }): Page {
  const content = `<p><strong>${escapeHtml(parts.name)}</strong> must show this code:</p>
<p><code id="code">${escapeHtml(parts.code)}</code></p>
<p class="warn">If somebody has sent you this code, or the address of this page, do not continue: they would get access as you.</p>
<form method="post" action="${escapeHtml(parts.action)}">
${hidden('xsrf', parts.csrf)}
${hidden('user_code', parts.userCode)}
<div class="row"><button name="abort" value="yes">It is another</button><button class="strong" name="confirm" value="yes">Continue</button></div>
</form>`
  return { title: 'Is this your code?', content }
}

/** The page of what was begun long ago, or elsewhere. */
export const expiredPage = messagePage(
  'This does not go on',
  'It has expired, or it was begun in another browser. Begin again where you came from: in the program, or at the site.',
)

/** A page that says one thing. */
export function messagePage(title: string, text: string): Page {
  return { title, content: `<p id="message">${escapeHtml(text)}</p>` }
}
