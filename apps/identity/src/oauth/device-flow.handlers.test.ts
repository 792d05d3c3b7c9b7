import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { formsOf } from '@recto/testing'
import { anOrganization, type TestUser } from '../test/factories.ts'
import { anOAuthSetup, publicUrl, type OAuthSetup } from '../test/oauth/endpoint.ts'

let setup: OAuthSetup
let organization: { id: string; admin: TestUser }
beforeAll(async () => {
  setup = await anOAuthSetup()
  organization = await anOrganization(setup.identity)
})
afterAll(() => setup.stop())

interface DeviceCode {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
}

async function post<Body>(path: string, form: Record<string, string>): Promise<{ status: number; body: Body }> {
  const reply = await setup.fetch(`${publicUrl}/oauth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id: 'recto-cli', ...form }).toString(),
  })
  return { status: reply.status, body: (await reply.json()) as Body }
}
const beginDevice = async (scope = 'read write') => (await post<DeviceCode>('device-authorization', { scope })).body
const poll = (code: string) =>
  post<{ access_token: string; refresh_token: string; error?: string }>('token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: code,
  })

async function confirmed(device: DeviceCode) {
  const browser = setup.browser()
  const page = await browser.follow(device.verification_uri)
  const confirm = await browser.submit(page, '/oauth/device', { user_code: device.user_code })
  return { browser, confirm }
}

it('A device gets tokens once its user has confirmed the code, signed in and allowed it', async () => {
  const device = await beginDevice()
  expect(device.user_code).toMatch(/^[A-Z]{4}-[A-Z]{4}$/)
  expect(device.verification_uri).toBe(`${publicUrl}/oauth/device`)
  expect((await poll(device.device_code)).body).toMatchObject({ error: 'authorization_pending' })
  const { browser, confirm } = await confirmed(device)
  expect(confirm.text).toContain(`<code id="code">${device.user_code}</code>`)
  const signIn = await browser.submit(confirm, '/oauth/device', { confirm: 'yes' })
  const consent = await browser.submit(signIn, '/sign-in', { token: organization.admin.token })
  expect(consent.text).toContain('is a program on the device whose code you have confirmed')
  const done = await browser.submit(consent, '/answer', { decision: 'allow' })
  expect([done.status, done.text]).toEqual([200, expect.stringContaining('You can close this page')])
  const { body } = await poll(device.device_code)
  expect(await setup.api(body.access_token, '/user')).toMatchObject({ status: 200 })
  expect((await poll(device.device_code)).body).toMatchObject({ error: 'invalid_grant' })
})

it('The address with the code shows it in the field of the page, by no script', async () => {
  const device = await beginDevice()
  const page = await setup.browser().follow(device.verification_uri_complete)
  expect(page.text).toContain(`value="${device.user_code}"`)
  expect(page.text).not.toContain('<script')
})

it('A person who says that the code is another, or who denies, leaves the device without tokens', async () => {
  const other = await beginDevice()
  const first = await confirmed(other)
  const stopped = await first.browser.submit(first.confirm, '/oauth/device', { abort: 'yes' })
  expect(stopped.text).toContain('The program gets no access')
  const refused = await beginDevice()
  const second = await confirmed(refused)
  const signIn = await second.browser.submit(second.confirm, '/oauth/device', { confirm: 'yes' })
  const consent = await second.browser.submit(signIn, '/sign-in', { token: organization.admin.token })
  await second.browser.submit(consent, '/answer', { decision: 'deny' })
  for (const { device_code } of [other, refused])
    expect((await poll(device_code)).body).toMatchObject({ error: 'access_denied' })
})

it.each([
  ['an unknown code', 'BBBB-BBBB', 'This code is not known'],
  ['no code', '', 'Enter the code that the program shows'],
])('The page asks once more after %s', async (_case, user_code, text) => {
  const browser = setup.browser()
  const page = await browser.submit(await browser.follow(`${publicUrl}/oauth/device`), '/oauth/device', { user_code })
  expect(page.text).toContain(text)
})

it('A form of a page that was open for too long keeps its code', async () => {
  const device = await beginDevice()
  const browser = setup.browser()
  const page = await browser.follow(device.verification_uri)
  const reply = await browser.submit(page, '/oauth/device', { user_code: device.user_code, xsrf: 'of-another-window' })
  expect(reply.text).toContain('open for too long')
  expect(reply.text).toContain(`value="${device.user_code}"`)
})

it('A browser without a session is told to begin again', async () => {
  const browser = setup.browser()
  const form = { xsrf: 'x', user_code: 'BBBB-BBBB' }
  for (const reply of [
    await browser.open(`${publicUrl}/oauth/device`, { method: 'POST', form }),
    await browser.open(`${publicUrl}/oauth/device/some-id`),
  ])
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('Begin again')])
})

it('A code is not confirmed by a form that another page has sent', async () => {
  const device = await beginDevice()
  const { browser, confirm } = await confirmed(device)
  const [form] = formsOf(confirm.text)
  for (const xsrf of ['', 'wrong']) {
    const fields = { ...form?.fields, xsrf, confirm: 'yes' }
    expect((await browser.follow(form?.action ?? '', { method: 'POST', form: fields })).status).toBe(400)
  }
})

it('Only programs that are registered for it get codes', async () => {
  const unknown = await post<{ error: string }>('device-authorization', { client_id: 'nobody', scope: 'read' })
  expect(unknown).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
})
