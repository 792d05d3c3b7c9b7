import { parseSetCookie } from 'cookie'

/** A reply as a browser sees it. */
export interface FormReply {
  status: number
  url: string
  headers: Headers
  text: string
}

/** A request of a browser. */
export interface FormRequest {
  method?: string
  form?: Record<string, string>
  headers?: Record<string, string>
}

/** A browser: it has cookies of its own, and does not follow redirects by itself. */
export interface FormBrowser {
  cookies: Map<string, { value: string; path: string }>
  open(url: string, request?: FormRequest): Promise<FormReply>
  /** Opens an address, and follows redirects that stay at the installation. */
  follow(url: string, request?: FormRequest): Promise<FormReply>
  /** Submits the form of a page whose action ends so. */
  submit(page: FormReply, action: string, fields: Record<string, string>): Promise<FormReply>
}

/** Sends a request to the installation, wherever its public address leads. */
export type SendToInstallation = (url: string, init: RequestInit) => Promise<Response>

/** A browser that reaches the installation with this public address. */
export function aFormBrowser(send: SendToInstallation, publicUrl: string): FormBrowser {
  const cookies: FormBrowser['cookies'] = new Map()
  const open: FormBrowser['open'] = async (address, { method = 'GET', form, headers = {} } = {}) => {
    const { href: url, pathname } = new URL(address, publicUrl)
    const sent = [...cookies].filter(
      ([, { path }]) => pathname === path || pathname.startsWith(path.replace(/\/?$/, '/')),
    )
    const reply = await send(url, {
      method,
      redirect: 'manual',
      headers: {
        ...(sent.length > 0 && { cookie: sent.map(([name, { value }]) => `${name}=${value}`).join('; ') }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
    })
    for (const header of reply.headers.getSetCookie()) store(cookies, header)
    return { status: reply.status, url, headers: reply.headers, text: await reply.text() }
  }
  const follow: FormBrowser['follow'] = async (address, request) => {
    let page = await open(address, request)
    for (let hops = 0; hops < 10; hops += 1) {
      const location = page.headers.get('location')
      const next = location === null ? undefined : new URL(location, page.url)
      if (!next || next.origin !== new URL(publicUrl).origin) return page
      page = await open(next.href)
    }
    throw new Error(`${page.url} redirects without end`)
  }
  const submit: FormBrowser['submit'] = (page, action, fields) => {
    const form = formsOf(page.text).find(each => each.action.endsWith(action))
    if (!form) throw new Error(`There is no form for ${action} in ${page.text}`)
    return follow(form.action, { method: 'POST', form: { ...form.fields, ...fields } })
  }
  return { cookies, open, follow, submit }
}

/** Stores or deletes the cookie of a header. */
function store(cookies: FormBrowser['cookies'], header: string): void {
  const { name, value = '', path = '/', expires, maxAge } = parseSetCookie(header) ?? { name: '' }
  if ((expires && expires.getTime() < Date.now()) || maxAge === 0) cookies.delete(name)
  else cookies.set(name, { value, path })
}

/** The forms of a page with their hidden fields. */
export function formsOf(html: string): { action: string; fields: Record<string, string> }[] {
  return [...html.matchAll(/<form method="post" action="([^"]+)">([\s\S]*?)<\/form>/g)].map(
    ([, action = '', body = '']) => ({
      action: unescaped(action),
      fields: Object.fromEntries(
        [...body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
          name,
          unescaped(value),
        ]),
      ),
    }),
  )
}

/** The text of attributes without their escapes. */
export function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
