import { ask, type Answer } from './reader-sites.ts'

/** A browser without scripts: it keeps cookies by their host and path, and goes where it is sent. */
export interface WebBrowser {
  /** Asks for one address, and keeps its cookies. */
  get(url: string, headers?: Record<string, string>): Promise<Answer>
  /** Sends a form. */
  post(url: string, form: Record<string, string>): Promise<Answer>
  /** Asks for an address and goes on to where it is sent, at most so often; resolves to the last answer and all addresses. */
  open(url: string): Promise<Answer & { urls: string[] }>
  /** Goes on from an address until it is sent to one that begins so, which it does not open. */
  until(url: string, begin: string): Promise<string>
  cookies(url: string): Record<string, string>
}

interface Cookie {
  name: string
  value: string
  host: string
  path: string
}

const maxRedirects = 12

/** Opens a browser that has no cookies. */
export function aWebBrowser(): WebBrowser {
  let cookies: Cookie[] = []
  const sentTo = (url: string) => {
    const { hostname, pathname } = new URL(url)
    return cookies.filter(({ host, path }) => host === hostname && pathname.startsWith(path))
  }
  const keep = (url: string, texts: readonly string[]) => {
    for (const text of texts) {
      const [pair = '', ...attributes] = text.split(';').map(part => part.trim())
      const name = pair.slice(0, pair.indexOf('='))
      const path = attributes.find(part => /^path=/i.test(part))?.slice('path='.length) ?? '/'
      const cookie = { name, value: pair.slice(name.length + 1), host: new URL(url).hostname, path }
      cookies = cookies.filter(one => !(one.name === name && one.host === cookie.host && one.path === path))
      if (!attributes.some(part => /^max-age=0$/i.test(part)) && cookie.value !== '') cookies.push(cookie)
    }
  }
  const send = async (url: string, request: { method?: string; headers: Record<string, string>; body?: string }) => {
    const cookie = sentTo(url).map(({ name, value }) => `${name}=${value}`)
    const headers = { ...request.headers, ...(cookie.length > 0 && { cookie: cookie.join('; ') }) }
    const answer = await ask(url, { ...request, headers })
    keep(url, answer.headers['set-cookie'] ?? [])
    return answer
  }
  const get: WebBrowser['get'] = (url, headers = {}) => send(url, { headers })
  const nextOf = (url: string, { headers: { location } }: Answer) =>
    location === undefined ? undefined : new URL(location, url).href
  return {
    get,
    post: (url, form) =>
      send(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      }),
    async open(first) {
      const urls = [first]
      for (let url = first; ;) {
        const answer = await get(url)
        const next = nextOf(url, answer)
        if (next === undefined) return { ...answer, urls }
        urls.push(next)
        if (urls.length > maxRedirects) throw new Error(`redirected too often: ${urls.join(' ')}`)
        url = next
      }
    },
    async until(first, begin) {
      let url = first
      for (let times = 0; times < maxRedirects; times++) {
        const next = nextOf(url, await get(url))
        if (next === undefined) throw new Error(`${url} leads nowhere, and not to ${begin}`)
        if (next.startsWith(begin)) return next
        url = next
      }
      throw new Error(`${first} does not lead to ${begin}`)
    },
    cookies: url => Object.fromEntries(sentTo(url).map(({ name, value }) => [name, value])),
  }
}
