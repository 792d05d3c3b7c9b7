import type { KoaContextWithOIDC } from 'oidc-provider'
import { currentWork } from './current-work.ts'
import { pageHeaders, renderPage, type Page } from './pages/layout.ts'
import { deviceCodePage, deviceConfirmPage, messagePage } from './pages/pages.ts'

const unknownCode = 'This code is not known, or has expired. Look at the program once more.'
/** Texts by the errors of the library about a code. */
const faults: Partial<Record<string, string>> = {
  NoCodeError: 'Enter the code that the program shows.',
  NotFoundError: unknownCode,
  ExpiredError: unknownCode,
  AlreadyUsedError: 'This code was used already. Begin again in the program.',
}

/** The page for the code of a device, with what was wrong before. */
export function renderUserCode(
  ctx: KoaContextWithOIDC,
  ...[, , error]: [form: string, out?: unknown, error?: Error]
): void {
  if (error?.name === 'AbortedError') return show(ctx, messagePage('Not connected', 'The program gets no access.'))
  const fault =
    error && (faults[error.name] ?? 'The page was open for too long, or in two windows. Continue once more.')
  const code = currentWork().userCode ?? ctx.oidc.params?.['user_code']
  show(ctx, deviceCodePage({ ...formOf(ctx), code: typeof code === 'string' ? code : '', fault }))
}

/** The page on which a person compares the code with that of their device. */
export function renderConfirmation(
  ctx: KoaContextWithOIDC,
  ...[, client, , code]: [
    form: string,
    client: { clientName?: string | undefined; clientId: string },
    info: unknown,
    code: string,
  ]
): void {
  const name = client.clientName ?? client.clientId
  show(ctx, deviceConfirmPage({ ...formOf(ctx), code, userCode: code, name }))
}

/** The page at the end of the authorization of a device. */
export function renderSuccess(ctx: KoaContextWithOIDC): void {
  show(ctx, messagePage('Connected', 'The program has access now. You can close this page.'))
}

/** The page of what cannot be told to a program, as when its address is wrong; nobody is redirected. */
export function renderError(
  ctx: KoaContextWithOIDC,
  out: { error: string; error_description?: string | undefined },
): void {
  const detail = out.error_description ? ` (${out.error}: ${out.error_description})` : ` (${out.error})`
  show(ctx, messagePage('This does not work', `Begin again where you came from.${detail}`))
}

function formOf(ctx: KoaContextWithOIDC) {
  const secret = ctx.oidc.session?.state?.['secret']
  return { action: ctx.oidc.urlFor('code_verification'), csrf: typeof secret === 'string' ? secret : '' }
}

function show(ctx: KoaContextWithOIDC, page: Page): void {
  for (const [name, value] of Object.entries(pageHeaders())) ctx.set(name, value)
  ctx.body = renderPage(page)
}
