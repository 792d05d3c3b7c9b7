import type { Actor, Role } from '@recto/actor'
import { verifyVisitorToken, visitorTokenKeys } from '@recto/actor/visitor-token'
import { eventually } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aPublishing, organization, secret, type PublishingSetup } from '../test/publishing-setup.ts'
import { aGitWorkerResponder, type GitWorkerResponder, type TestPreview } from '../test/git-worker-responder.ts'
import { anIdentityResponder, type IdentityResponder } from '../test/identity-responder.ts'

let publishing: PublishingSetup
let identity: IdentityResponder
let gitWorker: GitWorkerResponder
beforeAll(async () => {
  publishing = await aPublishing({ READER_URL: 'https://reader.test/' })
  identity = await anIdentityResponder(publishing.natsUrlFor('identity'))
  gitWorker = await aGitWorkerResponder(publishing.natsUrlFor('git-worker'))
  const actor = (role: Role | null | undefined, user: string, more: Partial<Actor> = {}): Actor => ({
    userId: user,
    platformAdmin: false,
    scopes: ['read'],
    memberships: role === undefined ? [] : [{ organization, role, teams: [] }],
    ...more,
  })
  identity.addToken('token-of-a-reader', actor('read', 'ada'))
  identity.addToken('token-of-a-guest', actor(null, 'bob'))
  identity.addToken('token-of-a-member-without-access', actor('create', 'eve'))
  identity.addToken('token-of-an-outsider', actor(undefined, 'ada'))
  identity.addToken('token-without-scopes', actor('admin', 'root', { scopes: [] }))
  const limitedTo = { spaces: [space], collections: [], sites: [] }
  identity.addToken('token-limited-to-the-space', actor('read', 'ada', { limitedTo }))
  identity.addToken('token-without-single-sign-on', actor(undefined, 'ada', { ssoRequired: [organization] }))
})
afterAll(async () => {
  await identity.stop()
  await gitWorker.stop()
  await publishing.stop()
})

let host: string
let params: { organizationId: string; siteId: string }
let space: string
let changeRequest: string
let revision: string
beforeEach(async () => {
  space = publishing.content.aSpace('Manual')
  publishing.content.setRole(space, 'eve', null)
  for (const user of ['ada', 'eve']) identity.setMember(user, 'read')
  changeRequest = publishing.content.aChangeRequest(space, 7)
  revision = publishing.content.aRevision(space)
  const client = publishing.as('create')
  const { id, basename } = await client.createSite({
    params: { organizationId: organization },
    body: { spaces: [space] },
  })
  params = { organizationId: organization, siteId: id }
  await client.publishSite({ params })
  host = `https://${basename}.docs.test`
})

const look = (url: string, token?: string) =>
  publishing.anonymous.resolvePublishedContentByUrl({
    body: { url },
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
const content = async (...args: Parameters<typeof look>) => {
  const lookup = await look(...args)
  if ('redirect' in lookup) throw new Error(`redirected to ${lookup.redirect}`)
  const { changeRequest, revision } =
    (await verifyVisitorToken(lookup.apiToken, visitorTokenKeys([secret])))?.actor.visitor ?? {}
  return { ...lookup, token: { changeRequest, revision } }
}
const nowhere = { code: 'not_found', message: 'This path leads nowhere' }
const strangers = [
  undefined,
  'unknown',
  'a.b.c',
  'token-of-a-guest',
  'token-of-a-member-without-access',
  'token-of-an-outsider',
  'token-without-scopes',
  'token-without-single-sign-on',
  'token-limited-to-the-space',
]

describe('a revision in a path', () => {
  it('is previewed by whoever could read the space with a token of their own', async () => {
    const lookup = await content(`${host}/~/revisions/${revision}/page`, 'token-of-a-reader')
    const basePath = `/~/revisions/${revision}/`
    expect(lookup).toMatchObject({ revision, basePath, pathname: '/page', space, token: { revision } })
  })

  it.each(strangers)('leads nowhere for others: %s', async token => {
    await expect(look(`${host}/~/revisions/${revision}`, token)).rejects.toMatchObject(nowhere)
  })

  it.each(['nothing', '7'])('leads nowhere for those who could, too, when it is not there: %s', async id => {
    await expect(look(`${host}/~/revisions/${id}`, 'token-of-a-reader')).rejects.toMatchObject(nowhere)
  })

  it('of another space leads nowhere', async () => {
    const other = publishing.content.aRevision(publishing.content.aSpace('Other'))
    await expect(look(`${host}/~/revisions/${other}`, 'token-of-a-reader')).rejects.toMatchObject(nowhere)
  })

  it('does not count visitor tokens of the site', async () => {
    const { apiToken } = await content(host)
    await expect(look(`${host}/~/revisions/${revision}`, apiToken)).rejects.toMatchObject(nowhere)
  })
})

describe('a pull request in a path', () => {
  const at = (key: string) => `${host}/~/pull-requests/${key}`
  const aPullRequest = (access: TestPreview['access'], spaceId = space) => {
    const key = `key-of-${access}-${spaceId}`
    gitWorker.previews.set(key, { spaceId, revision, base: 'revision-of-the-merge-base', access })
    return key
  }

  it.each(strangers)('is previewed by its key by all where it is open: %s', async token => {
    for (const access of ['open', 'auto'] as const)
      expect(await content(`${at(aPullRequest(access))}/page`, token)).toMatchObject({
        revision,
        pathname: '/page',
        token: { revision },
      })
  })

  it.each(strangers)('leads nowhere for strangers where it is for members: %s', async token => {
    await expect(look(at(aPullRequest('members')), token)).rejects.toMatchObject(nowhere)
  })

  it('is previewed by whoever could read the space where it is for members', async () => {
    const lookup = await content(at(aPullRequest('members')), 'token-of-a-reader')
    expect(lookup).toMatchObject({ revision, token: { revision } })
  })

  it('is previewed in a preview of the site where it is for members', async () => {
    const key = aPullRequest('members')
    const token = await previewOf('ada')
    const previewAt = `https://preview/${params.siteId}/~/pull-requests/${key}`
    expect(await content(previewAt, token)).toMatchObject({ revision })
  })

  it.each(['open', 'members'] as const)(
    'tells the revision that it began from in a preview of the site alone, and its token names none: %s',
    async access => {
      const key = aPullRequest(access)
      const previewAt = `https://preview/${params.siteId}/~/pull-requests/${key}`
      const lookup = await content(previewAt, await previewOf('ada'))
      expect(lookup).toMatchObject({ revision, pullRequest: { base: 'revision-of-the-merge-base' } })
      expect((await content(at(key), 'token-of-a-reader')).pullRequest).toEqual({})
      const payload = Buffer.from(lookup.apiToken.split('.')[1] ?? '', 'base64url').toString()
      expect(payload).not.toContain('revision-of-the-merge-base')
      expect(await content(`${host}/~/changes/${changeRequest}`)).not.toHaveProperty('pullRequest')
    },
  )

  it('leads nowhere from its end on', async () => {
    const key = aPullRequest('open')
    expect(await content(at(key))).toMatchObject({ revision })
    gitWorker.previews.delete(key)
    for (const token of [undefined, 'token-of-a-reader'])
      await expect(look(at(key), token)).rejects.toMatchObject(nowhere)
  })

  it('of another space leads nowhere', async () => {
    const other = publishing.content.aSpace('Other')
    for (const token of [undefined, 'token-of-a-reader'])
      await expect(look(at(aPullRequest('open', other)), token)).rejects.toMatchObject(nowhere)
  })

  it('is for members on a site that not everybody may read, unless it is open', async () => {
    await publishing.as('create').updateSiteById({ params, body: { visibility: 'unlisted' } })
    await eventually(async () => {
      await expect(look(at(aPullRequest('auto')))).rejects.toMatchObject(nowhere)
    })
    expect(await content(at(aPullRequest('open')))).toMatchObject({ revision })
  })
})

describe('a change request in a path', () => {
  it.each([...strangers, 'token-of-a-reader'])('is previewed by its id by all: %s', async token => {
    const lookup = await content(`${host}/~/changes/${changeRequest}/page`, token)
    expect(lookup).toMatchObject({ changeRequest, pathname: '/page', token: { changeRequest } })
  })

  it('is previewed by its number by whoever could read the space, and the token names its id', async () => {
    const lookup = await content(`${host}/~/changes/7/page`, 'token-of-a-reader')
    expect(lookup).toMatchObject({ changeRequest, basePath: '/~/changes/7/', token: { changeRequest } })
  })

  it.each(strangers)('leads nowhere by its number for others: %s', async token => {
    await expect(look(`${host}/~/changes/7`, token)).rejects.toMatchObject(nowhere)
  })

  it.each(['nothing', '8'])('leads nowhere when it is not there: %s', async id => {
    for (const token of [undefined, 'token-of-a-reader'])
      await expect(look(`${host}/~/changes/${id}`, token)).rejects.toMatchObject(nowhere)
  })
})

const previewOf = async (user: string, query = {}) => {
  const { url } = await publishing.as('read', user).getSitePublishingPreviewById({ params, query })
  return new URL(url).searchParams.get('token') ?? ''
}

it('a preview of the site shows what is named to whoever can read the space', async () => {
  const at = `https://preview/${params.siteId}`
  const token = await previewOf('ada')
  expect(await content(`${at}/~/revisions/${revision}`, token)).toMatchObject({ revision, token: { revision } })
  expect(await content(`${at}/~/changes/7`, token)).toMatchObject({ changeRequest, token: { changeRequest } })
  await expect(look(`${at}/~/changes/8`, token)).rejects.toMatchObject(nowhere)
  await expect(look(`${at}/~/revisions/nothing`, token)).rejects.toMatchObject(nowhere)
  publishing.content.setRole(space, 'eve', 'read')
  const ofEve = await previewOf('eve')
  publishing.content.setRole(space, 'eve', null)
  for (const id of [revision, 'nothing'])
    await expect(look(`${at}/~/revisions/${id}`, ofEve)).rejects.toMatchObject({ code: 'forbidden' })
})

it('a preview of the site is for nobody, unless a member asks for one with comments', async () => {
  const at = `https://preview/${params.siteId}/~/changes/7`
  const memberIn = async (query: object) => {
    const { apiToken, comments } = await content(at, await previewOf('ada', query))
    return [comments, (await verifyVisitorToken(apiToken, visitorTokenKeys([secret])))?.actor.visitor.member]
  }
  for (const query of [{}, { comments: 'false' }]) expect(await memberIn(query)).toEqual([undefined, undefined])
  expect(await memberIn({ comments: 'true' })).toEqual([true, 'ada'])
  identity.setMember('ada', undefined)
  await expect(look(at, await previewOf('ada', { comments: 'true' }))).rejects.toMatchObject({ code: 'not_found' })
})

it('a lookup of a plain address asks nobody, and gives members the token of all visitors', async () => {
  const { apiToken } = await content(`${host}/page`)
  const before = [identity.answered(), publishing.content.answered()]
  for (const token of [...strangers, 'token-of-a-reader'])
    expect((await content(`${host}/page`, token)).apiToken).toBe(apiToken)
  expect([identity.answered(), publishing.content.answered()]).toEqual(before)
  await content(`${host}/~/changes/${changeRequest}`, 'token-of-a-reader')
  expect([identity.answered(), publishing.content.answered()]).toEqual(before.map(count => (count ?? 0) + 1))
})

describe('a preview of the site ends with the rights of who made it', () => {
  const at = () => `https://preview/${params.siteId}`
  const ended = { code: 'not_found', message: 'This preview has ended' }

  it.each([
    ['a member who left', undefined],
    ['a member who became a guest', null],
  ])('%s', async (_who, role) => {
    const token = await previewOf('ada')
    expect(await content(at(), token)).toMatchObject({ space })
    identity.setMember('ada', role)
    await expect(look(at(), token)).rejects.toMatchObject(ended)
  })

  it('a member who cannot read one of its spaces any more does not see that one', async () => {
    const other = publishing.content.aSpace('Other')
    await publishing.as('create').addSpaceToSite({ params, body: { spaceId: other } })
    const token = await previewOf('ada')
    const spacesOf = async () => {
      const { apiToken } = await content(at(), token)
      return (await verifyVisitorToken(apiToken, visitorTokenKeys([secret])))?.actor.visitor.spaces
    }
    await eventually(async () => expect(new Set(await spacesOf())).toEqual(new Set([space, other])))
    publishing.content.setRole(other, 'ada', null)
    expect(await spacesOf()).toEqual([space])
  })
})
