import { headerJson, requestReply, wholeBody, type BusReply } from '@recto/bus'
import { waitLimit } from '@recto/testing'
import type { IdentitySetup } from '../identity-setup.ts'

/** A browser, which has cookies of its own. */
export interface TestBrowser {
  /** The cookies by their names. */
  cookies: Map<string, string>
  /** Opens an address of the API; resolves to the reply, whose body is text. Throws the `Failure` of a refusal. */
  open(url: string | URL): Promise<Omit<BusReply, 'body'> & { page: string }>
}

const pages = { start: 'startOidcSignIn', callback: 'completeOidcSignIn', logout: 'startOidcLogout' } as const

/** A browser that comes to the API as through a gateway. */
export function aBrowser(identity: IdentitySetup): TestBrowser {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async open(address) {
      const { pathname, searchParams } = new URL(address)
      const [, organizationId, oidcProviderId, page] = /orgs\/([^/]+)\/oidc\/([^/]+)\/(\w+)/.exec(pathname) ?? []
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const { body, ...reply } = await requestReply(identity.gateway, {
        subject: `api.identity.${pages[page as keyof typeof pages]}`,
        params: headerJson({
          params: { organizationId, oidcProviderId },
          query: Object.fromEntries(searchParams),
          headers: cookie ? { cookie } : {},
        }),
        timeout: waitLimit,
      })
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(reply.cookie ?? '') ?? []
      if (value) cookies.set(name, value)
      else cookies.delete(name)
      return { ...reply, page: Buffer.from(await wholeBody({ ...reply, body })).toString() }
    },
  }
}
