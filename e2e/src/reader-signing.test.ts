import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '@recto/testing'
import { sendOk } from './people.ts'
import { ask, readerSites, type ReaderSites } from './reader-sites.ts'

let sites: ReaderSites
let root: string
beforeAll(async () => {
  sites = await readerSites()
  const { admin, organizationId, stack } = sites
  const path = `/orgs/${organizationId}/sites/${sites.closed.siteId}/publishing/auth`
  await sendOk(stack, admin, { method: 'PATCH', path, body: { logoutURL: 'https://login.test/bye' } })
  root = `${sites.reader}/${sites.closed.name}`
})
afterAll(async () => {
  await sites.stop()
})

const cookiesOf = (headers: { 'set-cookie'?: string[] | undefined }) =>
  (headers['set-cookie'] ?? []).map(text => text.split(';')[0]).join('; ')

/** Logs in as a browser does, and returns the cookies of the visitor. */
async function logIn(): Promise<string> {
  const login = await ask(`${root}/`)
  const back = await ask(login.headers.location ?? '')
  const entered = await ask(back.headers.location ?? '')
  return cookiesOf(entered.headers)
}

it('A visitor who signs out leaves their cookie, and goes where the site says', async () => {
  const cookie = await logIn()
  expect((await ask(`${root}/`, { headers: { cookie } })).status).toBe(200)
  await eventually(async () => {
    const { status, headers } = await ask(`${root}/~gitbook/auth/logout`, { headers: { cookie } })
    expect([status, headers.location]).toEqual([307, 'https://login.test/bye'])
    expect(headers['set-cookie']?.join()).toContain('recto-visitor=; Max-Age=0')
  })
  expect((await ask(`${root}/`)).headers.location).toContain('/login')
})

it('A visitor who is signed out comes to the login from the beginning of the site', async () => {
  const out = await ask(`${root}/~gitbook/auth/logout`)
  expect([out.status, out.headers.location]).toEqual([307, new URL(`${root}/`).pathname])
  const into = await ask(`${root}/~gitbook/auth/login`)
  expect(new URL(into.headers.location ?? '').searchParams.get('location')).toBe('/')
})

it('A visitor who is signed in already stays on the site', async () => {
  const cookie = await logIn()
  const { headers } = await ask(`${root}/~gitbook/auth/login`, { headers: { cookie } })
  expect(headers.location).toBe(new URL(`${root}/`).pathname)
})
