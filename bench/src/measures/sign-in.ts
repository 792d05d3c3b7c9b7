import { aFormBrowser, anOpenIdProvider, type OpenIdProvider } from '@recto/testing'
import { anOrganization } from '../harness/api.ts'
import type { Bench, Measure } from '../harness/bench.ts'
import type { Finding } from '../harness/finding.ts'
import { median, quantile, rounded } from '../harness/statistics.ts'

const small = 20
const large = 20_000
const signIns = 100
const ofSmall = `of ${small}`
const ofLarge = `of ${large.toLocaleString('en')}`
/** Requests that an identity provider sends at a time. */
const connections = 4

/** An organization whose members are provisioned, and sign in by a provider. */
interface Provisioned {
  id: string
  startUrl: string
  scimToken: string
}

interface Parts {
  bench: Bench
  provider: OpenIdProvider
}

/**
 * The time of a sign-in by OpenID Connect (both requests of the browser, and what the provider is asked) in an organization of 20,000
 * provisioned members against one of 20, also while a provider synchronises all of them by SCIM, and the SCIM requests in a second.
 */
export const measureSignIn: Measure = async bench => {
  const provider = await anOpenIdProvider()
  bench.cleanup.add(() => provider.stop())
  const parts = { bench, provider }
  const few = await anOrganizationWithProvider(parts, 'few')
  const many = await anOrganizationWithProvider(parts, 'many')
  await provision(parts, few, small)
  const started = performance.now()
  await provision(parts, many, large)
  const created = (large / (performance.now() - started)) * 1000
  const quiet = await alternate(parts, { few, many })
  const synchronisation = synchronise(bench, many)
  const during = await alternate(parts, { few, many })
  const changed = await synchronisation.stop()
  const [base, quietly, busily] = [quiet.few, quiet.many, during.many].map(median) as [number, number, number]
  const text = (name: string, times: number[]) =>
    `${name} ${median(times).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`
  bench.print(`  sign-in: ${text(ofSmall, quiet.few)}; ${text(ofLarge, quiet.many)}`)
  bench.print(`  while SCIM synchronises: ${text(ofSmall, during.few)}; ${text(ofLarge, during.many)}`)
  return [
    {
      what: `sign-in in an organization ${ofLarge} members, against one ${ofSmall}`,
      value: rounded(quietly / base),
      unit: 'x',
      budget: { atMost: 1.3 },
      detail: `${text(ofLarge, quiet.many)}, ${text(ofSmall, quiet.few)}`,
      figures: quiet,
    },
    {
      what: `sign-in while SCIM synchronises the organization ${ofLarge}, against a quiet one ${ofSmall}`,
      value: rounded(busily / base),
      unit: 'x',
      detail: text(ofLarge, during.many),
      figures: during,
    },
    perSecond('users that SCIM creates', created, `${large.toLocaleString('en')} users, ${connections} at a time`),
    perSecond(
      'users that SCIM changes, beside sign-ins',
      changed,
      `found by userName, and patched; ${connections} at a time`,
    ),
  ]
}

function perSecond(what: string, value: number, detail: string): Finding {
  return { what, value: rounded(value), unit: 'per second', detail, figures: { perSecond: value } }
}

const emailOf = (organization: string, member: number) => `member-${member}@${organization}.test`

async function anOrganizationWithProvider({ bench: { api }, provider }: Parts, name: string): Promise<Provisioned> {
  const id = await anOrganization(api)
  const { service } = await api.post<{ service: { startURL: string } }>(`/orgs/${id}/oidc`, {
    label: 'Provider',
    issuer: provider.issuer,
    clientID: provider.client.id,
    clientSecret: provider.client.secret,
    defaultRole: 'read',
    emailDomains: [`${name}.test`],
  })
  const account = await api.post<{ id: string }>(`/orgs/${id}/service-accounts`, {
    name: 'Provisioning',
    role: 'admin',
  })
  const { token } = await api.post<{ token: string }>(`/orgs/${id}/service-accounts/${account.id}/tokens`, {
    name: 'SCIM',
    scopes: ['scim'],
  })
  return { id: name, startUrl: service.startURL, scimToken: token }
}

/** Sends a request of SCIM. */
async function scim<Body>(
  { stack }: Bench,
  { scimToken }: Provisioned,
  { method = 'GET', path, body }: { method?: string; path: string; body?: object },
): Promise<Body> {
  const reply = await fetch(`${stack.url}/scim/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${scimToken}`, 'content-type': 'application/scim+json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`)
  return JSON.parse(text) as Body
}

async function provision({ bench }: Parts, organization: Provisioned, count: number): Promise<void> {
  let next = 0
  const work = async () => {
    while (next < count) {
      const member = next++
      const userName = emailOf(organization.id, member)
      const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User']
      const body = { schemas, userName, displayName: `Member ${member}`, emails: [{ value: userName, primary: true }] }
      await scim(bench, organization, { method: 'POST', path: '/Users', body })
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
}

/** Finds and changes one member after the other, as an identity provider does, until it is stopped; resolves to how many in a second. */
function synchronise(bench: Bench, organization: Provisioned): { stop(): Promise<number> } {
  const state = { isStopped: false, count: 0 }
  const started = performance.now()
  const work = async () => {
    while (!state.isStopped) {
      const member = state.count++ % large
      const filter = encodeURIComponent(`userName eq "${emailOf(organization.id, member)}"`)
      const { Resources } = await scim<{ Resources: { id: string }[] }>(bench, organization, {
        path: `/Users?filter=${filter}`,
      })
      const value = `Member ${member}, change ${state.count}`
      const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
      const body = { schemas, Operations: [{ op: 'replace', path: 'displayName', value }] }
      await scim(bench, organization, { method: 'PATCH', path: `/Users/${Resources[0]?.id}`, body })
    }
  }
  const done = Promise.all(Array.from({ length: connections }, work))
  return {
    async stop() {
      state.isStopped = true
      await done
      return (state.count / (performance.now() - started)) * 1000
    },
  }
}

/** Times of sign-ins, one organization after the other. */
async function alternate(parts: Parts, { few, many }: Record<'few' | 'many', Provisioned>) {
  const times = { few: [] as number[], many: [] as number[] }
  for (let at = 0; at < signIns; at++) {
    times.few.push(await timeSignIn(parts, few, at % small))
    times.many.push(await timeSignIn(parts, many, (at * 197) % large))
  }
  return times
}

/** Milliseconds of a sign-in, without what the browser and the provider do between the two requests. */
async function timeSignIn(
  { bench: { stack }, provider }: Parts,
  { id, startUrl }: Provisioned,
  member: number,
): Promise<number> {
  const browser = aFormBrowser(fetch, stack.url)
  const started = performance.now()
  const begun = await browser.open(startUrl)
  const between = performance.now()
  const callback = await provider.authorize(begun.headers.get('location') ?? '', emailOf(id, member))
  const resumed = performance.now()
  const { status, text } = await browser.open(callback.href)
  if (status !== 200) throw new Error(`A sign-in was answered with ${status}: ${text}`)
  return between - started + performance.now() - resumed
}
