import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@recto/testing'
import { aProgram, browserAt, type Program } from './oauth.ts'
import { anOrganization, sendOk, sendRaw, type Person } from './people.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'

const command = join(import.meta.dirname, '../../dist/apps/cli/main.js')
let stack: Installation
let organization: { id: string; admin: Person }
let program: Program
let home: string
beforeAll(async () => {
  stack = await sharedStack()
  organization = await anOrganization(stack)
  program = await aProgram(stack, organization)
  home = mkdtempSync(join(tmpdir(), 'recto-oauth-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const statusOf = async (token: string, path = '/user') =>
  (await sendRaw(stack.url, { token }, { method: 'GET', path })).status

describe('A program', () => {
  it('is allowed by a person, works with its scopes, renews its tokens, and ends with its grant', async () => {
    const first = await program.authorize(organization.admin)
    expect(await statusOf(first.access_token, `/orgs/${organization.id}`)).toBe(200)
    expect(await statusOf(first.access_token, '/user/tokens')).toBe(200)
    const narrow = await program.authorize(organization.admin, 'space:read')
    expect(await statusOf(narrow.access_token, `/orgs/${organization.id}/members`)).toBe(403)
    const second = await program.refresh(first.refresh_token)
    await expect(program.refresh(first.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
    for (const { access_token } of [first, second]) expect(await statusOf(access_token)).toBe(401)
    await expect(program.refresh(second.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
    await program.revoke(narrow.access_token)
    expect(await statusOf(narrow.access_token)).toBe(401)
  })

  it('finds the authorization server by the answer of the tools to a request without a token', async () => {
    const reply = await fetch(`${stack.url}/mcp`, { method: 'POST', body: '{}' })
    const address = /resource_metadata="([^"]+)"/.exec(reply.headers.get('www-authenticate') ?? '')?.[1] ?? ''
    const resource = (await (await fetch(address)).json()) as { resource: string; authorization_servers: string[] }
    expect(resource).toMatchObject({ resource: `${stack.url}/mcp`, authorization_servers: [stack.url] })
    const server = await fetch(`${resource.authorization_servers[0]}/.well-known/oauth-authorization-server`)
    expect(await server.json()).toMatchObject({
      issuer: stack.url,
      registration_endpoint: expect.stringContaining('/oauth/register'),
    })
  })

  it('is in the audit log, when it is allowed and when that ends', async () => {
    const { access_token } = await program.authorize(organization.admin)
    await program.revoke(access_token)
    await eventually(async () => {
      const path = `/orgs/${organization.id}/audit-events`
      const { items } = await sendOk<{ items: { action: string }[] }>(stack, organization.admin, {
        method: 'GET',
        path,
      })
      const types = items.map(({ action }) => action)
      expect(types).toEqual(
        expect.arrayContaining(['oauth-client.created', 'oauth-grant.created', 'oauth-grant.ended']),
      )
    })
  })
})

describe('recto login', () => {
  const run = (args: string[]) => {
    const child = spawn(process.execPath, [command, ...args], {
      env: { PATH: dirname(process.execPath), HOME: home, XDG_CONFIG_HOME: home },
    })
    child.stdin.end()
    const streams = { output: '', notes: '' }
    child.stdout.on('data', (chunk: Buffer) => (streams.output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (streams.notes += chunk.toString()))
    const done = once(child, 'close').then(([code]) => ({ code: code as number, ...streams }))
    return { streams, done }
  }

  const logIn = async () => {
    const login = run(['login', stack.url])
    const url = await eventually(async () => {
      const address = /Open (\S+)/.exec(login.streams.notes)?.[1]
      if (address === undefined) throw new Error(`There is no address in ${login.streams.notes}`)
      return address
    })
    const browser = browserAt(stack)
    const entered = await browser.follow(url)
    const code = /value="([A-Z]{4}-[A-Z]{4})"/.exec(entered.text)?.[1] ?? ''
    expect(login.streams.notes).toContain(code)
    const confirm = await browser.submit(entered, '/oauth/device', { user_code: code })
    const signIn = await browser.submit(confirm, '/oauth/device', { confirm: 'yes' })
    const consent = await browser.submit(signIn, '/sign-in', { token: organization.admin.token })
    await browser.submit(consent, '/answer', { decision: 'allow' })
    expect(await login.done).toMatchObject({ code: 0, output: expect.stringContaining('Logged in') })
    const file = join(home, 'recto/credentials.json')
    const { tokens } = JSON.parse(readFileSync(file, 'utf8')) as { tokens: Record<string, string> }
    return tokens[stack.url] ?? ''
  }

  it('shows a code, waits for a browser that allows it, and gives its tokens back with a logout', async () => {
    const token = await logIn()
    expect(await statusOf(token)).toBe(200)
    expect(await run(['login', '--status']).done).toMatchObject({ code: 0 })
    expect(await run(['logout']).done).toMatchObject({ code: 0 })
    expect(await statusOf(token)).toBe(401)
  })

  it('is enough for a push and a pull, and ends the login before it', async () => {
    const first = await logIn()
    const path = `/orgs/${organization.id}/spaces`
    const { id: space } = await sendOk<{ id: string }>(stack, organization.admin, { method: 'POST', path, body: {} })
    const folder = join(home, 'docs')
    mkdirSync(folder)
    writeFileSync(join(folder, 'README.md'), '# Manual\n')
    expect(await run(['push', folder, '--space', space]).done).toMatchObject({ code: 0 })
    expect(await run(['pull', space, join(home, 'copy')]).done).toMatchObject({ code: 0 })
    expect(readFileSync(join(home, 'copy/README.md'), 'utf8')).toBe('# Manual\n')
    const second = await logIn()
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200])
  })

  it('asks for no token of an address that is no API', async () => {
    const { code, notes } = await run(['login', `${stack.url}/elsewhere`]).done
    expect([code, notes]).toEqual([2, expect.stringContaining('is not the address of an API')])
  })
})
