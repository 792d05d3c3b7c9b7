import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aMember, anOrganization, sendRaw, aPerson, sendOk, type Person } from './people.ts'
import { aSecondGateway } from './second-gateway.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'

let stack: Installation
let second: Awaited<ReturnType<typeof aSecondGateway>>
let organization: { id: string; admin: Person }

beforeAll(async () => {
  stack = await sharedStack()
  second = await aSecondGateway(stack)
  organization = await anOrganization(stack)
})

afterAll(async () => {
  await second.stop()
})

/** The responses of both gateways to a user, which also fill the caches of both. */
async function seenBy(person: { token: string }, path = `/orgs/${organization.id}`): Promise<number[]> {
  const replies = [stack.url, second.url].map(url => sendRaw(url, person, { method: 'GET', path }))
  return (await Promise.all(replies)).map(({ status }) => status)
}

const both = (status: number): number[] => [status, status]
const admin = (method: string, path: string, body?: unknown) =>
  sendOk(stack, organization.admin, {
    method,
    path: `/orgs/${organization.id}${path}`,
    ...(body !== undefined && { body }),
  })

describe('on the next request through any gateway', () => {
  it('a revoked token is refused', async () => {
    const person = await aMember(stack, organization, 'read')
    const made = await sendOk<{ id: string; token: string }>(stack, person, {
      method: 'POST',
      path: '/user/tokens',
      body: { name: 'ci' },
    })
    expect(await seenBy(made)).toEqual(both(200))
    await sendOk(stack, person, { method: 'DELETE', path: `/user/tokens/${made.id}` })
    expect(await seenBy(made)).toEqual(both(401))
    expect(await seenBy(person)).toEqual(both(200))
  })

  it('a removed member loses access, and an added member gains it', async () => {
    const person = await aPerson(stack)
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await seenBy(person)).toEqual(both(404))
      await admin('POST', '/invites', { emails: [person.email] })
      expect(await seenBy(person)).toEqual(both(200))
      await admin('DELETE', `/members/${person.id}`)
    }
  })

  it('a raised or lowered role takes effect', async () => {
    const person = await aMember(stack, organization, 'read')
    const create = async () => {
      const made = [stack.url, second.url].map(url =>
        sendRaw(url, person, { method: 'POST', path: `/orgs/${organization.id}/spaces`, body: { title: 'New' } }),
      )
      return (await Promise.all(made)).map(({ status }) => status)
    }
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await create()).toEqual(both(403))
      await admin('PATCH', `/members/${person.id}`, { role: 'create' })
      expect(await create()).toEqual(both(201))
      await admin('PATCH', `/members/${person.id}`, { role: 'read' })
    }
    await admin('PATCH', `/members/${person.id}`, { role: null })
    expect(await seenBy(person, `/orgs/${organization.id}/members`)).toEqual(both(403))
  })

  it('joining and leaving a team take effect', async () => {
    const person = await aMember(stack, organization, null)
    const { id } = (await admin('PUT', '/teams', { title: 'Writers' })) as { id: string }
    const path = `/orgs/${organization.id}/teams/${id}`
    expect(await seenBy(person, path)).toEqual(both(404))
    await admin('PUT', `/teams/${id}/members/${person.id}`, { role: 'owner' })
    expect(await seenBy(person, path)).toEqual(both(200))
    await admin('DELETE', `/teams/${id}`)
    expect(await seenBy(person, path)).toEqual(both(404))
  })

  it('other tokens are refused while single sign-on is required', async () => {
    const person = await aMember(stack, organization, 'create')
    expect(await seenBy(person)).toEqual(both(200))
    await admin('PATCH', '', { sso: true })
    expect(await seenBy(person)).toEqual(both(403))
    expect(await seenBy(organization.admin)).toEqual(both(200))
    await admin('PATCH', '', { sso: false })
    expect(await seenBy(person)).toEqual(both(200))
  })
})
