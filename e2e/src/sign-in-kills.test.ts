import { randomUUID } from 'node:crypto'
import {
  anOpenIdProvider,
  aRestartableNats,
  eventually,
  type OpenIdProvider,
  type RestartableNats,
} from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aNatsProxy, type NatsProxy } from './nats-proxy.ts'
import { anOrganization, sendOk } from './people.ts'
import { signInStages, type SignInStage } from './sign-in-stages.ts'
import { removeData, startStack, type Stack, usualTime } from './stack.ts'
import { aWebBrowser, type WebBrowser } from './web-browser.ts'

/** A sign-on with a provider of its own, of which nothing is cached. */
interface Place {
  provider: OpenIdProvider
  providerId: string
  startURL: string
  redirectURL: string
}

let bus: RestartableNats
let nats: NatsProxy
let stack: Stack
/** Replies to requests whose service was killed, which come when the gateway gives up. */
const replies: Promise<{ status: number }>[] = []

beforeAll(async () => {
  bus = await aRestartableNats({ maxPayload: 8 * 1024 * 1024 })
  nats = await aNatsProxy(bus.port)
  const url = new URL(bus.url)
  url.port = String(nats.port)
  stack = await startStack({ env: { ...usualTime, RATE_LIMIT: '1000000', NATS_URL: url.href } })
})
afterAll(async () => {
  await stack.stop()
  await Promise.all([nats.stop(), removeData(stack.dataDir)])
  await bus.stop()
})

async function aPlace(): Promise<Place> {
  const provider = await anOpenIdProvider()
  // Nobody else has this e-mail; it is at the userinfo endpoint alone, so that this is asked, too.
  const id = randomUUID()
  provider.user = { ...provider.user, sub: id, email: `${id}@recto.test` }
  provider.claims = { email: undefined }
  const { id: organizationId, admin } = await anOrganization(stack)
  const { issuer, client } = provider
  const body = { label: 'Login', issuer, clientID: client.id, clientSecret: client.secret, emailDomains: ['*'] }
  const path = `/orgs/${organizationId}/oidc`
  const created = await sendOk<{ id: string; service: Place }>(stack, admin, { method: 'POST', path, body })
  const { startURL, redirectURL } = created.service
  return { provider, providerId: created.id, startURL, redirectURL }
}

/** Sends the request that a stage is of, kills identity when it is reached, and waits until identity serves again; resolves to the address. */
async function kill(place: Place, { stage, browser }: { stage: SignInStage; browser: WebBrowser }): Promise<string> {
  const { startURL, redirectURL, provider, providerId } = place
  const url = stage.of === 'start' ? startURL : await browser.until(startURL, redirectURL)
  const hold = await stage.hold({ provider, providerId, nats, dataDir: stack.dataDir })
  if (stage.isUnderWay) replies.push(browser.get(url))
  await hold.reached
  const pid = stack.pidOf('identity')
  process.kill(pid, 'SIGKILL')
  // Its connections have ended by then, so that nothing that is kept back gets through.
  await eventually(() => expect(stack.pidOf('identity')).not.toBe(pid))
  hold.release()
  await eventually(async () => expect((await aWebBrowser().get(startURL)).status).toBe(302))
  return url
}

const tokenRequests = ({ provider }: Place) => provider.requests.filter(({ path }) => path === '/token').length

describe('Identity that is killed', () => {
  it.each(signInStages.map(stage => [stage.name, stage] as const))(
    '%s uses no state and no code twice, and the sign-in can be begun again',
    async (_name, stage) => {
      const place = await aPlace()
      try {
        const browser = aWebBrowser()
        const url = await kill(place, { stage, browser })
        const before = tokenRequests(place)
        const { status, text } = await browser.get(url)
        expect(status).toBe(stage.again)
        if (stage.again !== 401) expect(before).toBe(0)
        // Where the code was sent to the provider, it was sent once, and is not sent again.
        if (stage.again === 401) expect([before, tokenRequests(place)]).toEqual([1, 1])
        expect(text.includes('id="token"')).toBe(stage.again === 200)
        expect((await browser.get(url)).status).toBe(stage.of === 'start' ? 302 : 401)
        expect((await aWebBrowser().open(place.startURL)).text).toContain('id="token"')
      } finally {
        await place.provider.stop()
      }
    },
  )

  it('leaves each request that was under way without a success', async () => {
    for (const { status } of await Promise.all(replies)) expect([503, 504]).toContain(status)
    expect(replies).toHaveLength(signInStages.filter(({ isUnderWay }) => isUnderWay).length)
  })
})
