import type { Actor, Role } from '@recto/actor'
import { visitorActor } from '@recto/actor/visitor-token'
import { busClient } from '@recto/bus'
import { contentRpc } from '@recto/contracts-content-bus'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, aGrant, aSpace, type ContentSetup, organization } from '../test/content-setup.ts'

let content: ContentSetup
let bus: ReturnType<typeof publishingClient>
let space: string
let other: string
let proposed: { id: string; number: number; head: string }
let main: string
beforeAll(async () => {
  content = await aContent()
  bus = publishingClient()
  space = await aSpace(content, { defaultLevel: null })
  other = await aSpace(content, {})
  await aGrant(content, { space, user: 'ada', role: 'read' })
  await aGrant(content, { space, user: 'a guest', role: 'read' })
  const admin = content.as('admin')
  const params = { spaceId: space }
  const changeRequest = await admin.createChangeRequest({ params, body: {} })
  const body = { changes: [{ operation: 'insert_page', title: 'Secret', document: { markdown: 'Not yet' } }] } as never
  const inside = { params: { ...params, changeRequestId: changeRequest.id }, body }
  const update = await admin.updateContentInChangeRequest(inside)
  proposed = { id: changeRequest.id, number: changeRequest.number, head: 'revision' in update ? update.revision : '' }
  main = (await admin.getSpaceById({ params })).revision
})
afterAll(() => content.stop())

const publishingClient = () => busClient(content.publishing, contentRpc, { service: 'content' })
type PreviewInput = Partial<Parameters<typeof bus.resolvePreview>[0]['body']>
const resolve = (input: PreviewInput) => bus.resolvePreview({ body: { organization, space, ...input } })
const member = (role: Role | null | undefined, user?: string) =>
  content.actorOf(role, user === undefined ? {} : { user })
const visitor = (seen: object): Actor =>
  visitorActor({ organization, site: 'site', version: 1, spaces: [space], claims: {}, ...seen })
const withoutSso = (actor: Actor): Actor => ({ ...actor, memberships: [], ssoRequired: [organization] })

describe('resolvePreview', () => {
  const readers: [string, boolean, () => Actor | undefined][] = [
    ['nobody', false, () => undefined],
    ['a member with a grant on the space', true, () => member('read', 'ada')],
    ['a guest with a grant on the space', true, () => member(null, 'a guest')],
    ['an admin', true, () => member('admin')],
    ['a member who cannot read the space', false, () => member('create', 'eve')],
    ['a member of another organization', false, () => member(undefined, 'ada')],
    ['an admin whose token has no single sign-on', false, () => withoutSso(member('admin'))],
    ['a visitor of the site', false, () => visitor({})],
    ['a visitor of the site who previews another revision', false, () => visitor({ revision: main })],
    ['somebody who previews the site with the space', true, () => visitor({ previews: true })],
    ['somebody who previews the site without the space', false, () => visitor({ previews: true, spaces: [other] })],
    ['somebody who previews a site of others', false, () => visitor({ previews: true, organization: 'another' })],
  ]

  it.each(readers)(
    'resolvePreview replies to %s by the number of a change request, and by revisions: %s',
    async (_who, isReader, of) => {
      const reader = of()
      const { id, head } = proposed
      expect(await resolve({ reader, changeRequest: id })).toEqual({ changeRequest: id })
      const number = String(proposed.number)
      expect(await resolve({ reader, changeRequest: number })).toEqual(isReader ? { changeRequest: id } : {})
      for (const revision of [main, head])
        expect(await resolve({ reader, revision })).toEqual(isReader ? { revision } : {})
    },
  )

  it.each(['archived', 'merged'] as const)(
    'resolvePreview finds a change request that is %s only for those who could read the space',
    async to => {
      const space = await aSpace(content, {})
      const admin = content.as('admin')
      const { id } = await admin.createChangeRequest({ params: { spaceId: space }, body: {} })
      const params = { spaceId: space, changeRequestId: id }
      const change = { operation: 'insert_page', title: 'Once', document: { markdown: 'Once' } }
      await admin.updateContentInChangeRequest({ params, body: { changes: [change] } as never })
      expect(await resolve({ space, changeRequest: id })).toEqual({ changeRequest: id })
      if (to === 'merged') await admin.mergeChangeRequest({ params, body: {} } as never)
      else await admin.updateChangeRequestById({ params, body: { status: 'archived' } } as never)
      expect((await admin.getChangeRequestById({ params })).status).toBe(to)
      expect(await resolve({ space, changeRequest: id })).toEqual({})
      expect(await resolve({ space, changeRequest: id, reader: member('read', 'ada') })).toEqual({ changeRequest: id })
    },
  )

  it.each<[string, () => PreviewInput]>([
    ['an unknown change request', () => ({ changeRequest: 'nothing' })],
    ['an unknown number', () => ({ changeRequest: '999' })],
    ['an unknown revision', () => ({ revision: 'nothing' })],
    ['neither', () => ({})],
    ['a change request of another space', () => ({ space: other, changeRequest: proposed.id })],
    ['a number in another space', () => ({ space: other, changeRequest: String(proposed.number) })],
    ['a revision of another space', () => ({ space: other, revision: main })],
    ['a space of another organization', () => ({ organization: 'another', changeRequest: proposed.id })],
    ['an unknown space', () => ({ space: 'nothing', changeRequest: proposed.id })],
  ])('resolvePreview finds nothing for %s', async (_case, inputOf) => {
    expect(await resolve({ reader: member('admin'), ...inputOf() })).toEqual({})
  })

  it('resolvePreview finds nothing in a deleted space', async () => {
    const deleted = await aSpace(content, {})
    const { id } = await content.as('admin').createChangeRequest({ params: { spaceId: deleted }, body: {} })
    expect(await resolve({ space: deleted, changeRequest: id })).toEqual({ changeRequest: id })
    await content.as('admin').deleteSpaceById({ params: { spaceId: deleted } })
    expect(await resolve({ space: deleted, changeRequest: id, reader: member('admin') })).toEqual({})
  })
})
