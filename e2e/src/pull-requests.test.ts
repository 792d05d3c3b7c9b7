import { aGitServer, aRepository, eventually, type GitServer, lockRow } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { databaseUrl, untilAwaited } from './databases.ts'
import { Forge, type ForgeName } from './forge.ts'
import {
  type PreviewedSpace,
  previewsOf,
  pushToFork,
  readPreview,
  removeRef,
  sendPull,
  setPreviews,
  untilChecked,
} from './pull-requests.ts'
import { anOrganization, type Person, sendOk } from './people.ts'
import { aPublishedSite, ask, cookiesOf } from './reader-sites.ts'
import { readerOf } from './shared-stack.ts'
import { removeData, startStack, type Stack } from './stack.ts'
import { request } from './walk.ts'

const files = {
  'README.md': '# Home\n\nSee [the manual](manual.md).\n',
  'SUMMARY.md': '* [Home](README.md)\n* [Manual](manual.md)\n',
  'manual.md': '# Manual\n\nRead it. [Lost](lost.md)\n',
}

let stack: Stack
let reader: string
let git: GitServer
let admin: Person
let organizationId: string
const served: Record<string, string> = {}
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  git = await aGitServer({ repositories: served })
  stack = await startStack({ env: { RATE_LIMIT: '100000', REFUSAL_LIMIT: '100000', READER_PORT: '0' } })
  reader = readerOf(stack)
  const organization = await anOrganization(stack)
  organizationId = organization.id
  admin = organization.admin
})

afterAll(async () => {
  await stack?.stop()
  await Promise.all([git.stop(), ...stops.map(stop => stop())])
  await removeData(stack.dataDir)
})

/** A published space that is synchronised with a repository of its own at a forge. */
async function aPreviewedSpace(
  name: ForgeName,
  { settings = {}, allowsChecks = false, site = {} }: { settings?: object; allowsChecks?: boolean; site?: object } = {},
): Promise<PreviewedSpace & { url: string }> {
  const repository = await aRepository({ files })
  const forge = new Forge(name, { token: `token-of-${name}`, allowsChecks })
  await forge.start()
  stops.push(
    () => repository.remove(),
    () => forge.stop(),
  )
  const at = `r${Object.keys(served).length}`
  served[at] = repository.path
  const { id: spaceId } = (await admin.client.orgs.createSpace(organizationId, { title: 'Manual' } as never)).data
  const make = { stack, reader, admin, organizationId }
  const published = await aPublishedSite(make, { title: `Docs ${at}`, spaces: [spaceId], settings: site })
  const owner = { ...stack, client: admin.client }
  const siteUrl = `${reader}/${published.name}`
  const space = { stack: owner, organizationId, spaceId, siteId: published.siteId, siteUrl, repository, forge }
  const url = git.url(at)
  await setPreviews(space, url, settings)
  await eventually(async () => {
    expect(await request(owner, 'GET', `/spaces/${spaceId}/git/sync`)).toMatchObject({ state: 'synchronized' })
  })
  return { ...space, url }
}

/** Opens pull request 7 from a fork, and waits until it is checked. */
async function openPull(space: PreviewedSpace, text: string, number = 7) {
  const commit = await pushToFork(space, number, { 'manual.md': text })
  const reply = await sendPull(space, { number, state: 'open', commit })
  expect(reply).toMatchObject({ status: 200, body: { started: true } })
  return { commit, preview: await untilChecked(space, number, commit) }
}

const states = (space: PreviewedSpace, commit: string) => space.forge.of(commit).map(({ state }) => state)
const last = (space: PreviewedSpace, commit: string) => space.forge.of(commit).at(-1)
const fixed = '# Manual\n\nRead all of it. [Lost](lost.md)\n'
const broken = '# Manual\n\nRead all of it. [Lost](lost.md)\n\nAnd [this](nowhere.md).\n'

/** The states that each forge has for success and failure. */
const words = { github: ['success', 'failure'], gitlab: ['success', 'failed'], gitea: ['success', 'failure'] } as const

describe.each(['github', 'gitlab', 'gitea'] as const)('a pull request of %s from a fork', name => {
  it('has a preview and true statuses at its opening, a broken link, its repair and its merge', async () => {
    const [success, failure] = words[name]
    const space = await aPreviewedSpace(name, { allowsChecks: name === 'github' })
    const { commit, preview } = await openPull(space, fixed)
    expect(preview).toMatchObject({
      title: 'Pull 7',
      access: 'open',
      report: { pages: { added: 0, changed: 1, removed: 0 }, faults: { errors: 0 }, roundTrip: { state: 'identical' } },
    })
    expect(states(space, commit)).toEqual([...Array(states(space, commit).length - 1).fill('pending'), success])
    expect(last(space, commit)).toMatchObject({
      description: '1 page changed, no new faults, byte for byte',
      targetUrl: preview.address,
    })
    const page = await readPreview(space, preview.address, 'manual')
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Read all of it.')])
    expect(page.headers).toMatchObject({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' })
    expect(page.text).toContain('<meta name="robots" content="noindex"')
    const robots = await readPreview(space, preview.address, 'robots.txt')
    expect(robots.text).toBe('User-agent: *\nDisallow: /\n')

    const bad = await pushToFork(space, 7, { 'manual.md': broken })
    await sendPull(space, { number: 7, state: 'open', commit: bad })
    const { id, report } = await untilChecked(space, 7, bad)
    expect(report).toMatchObject({ faults: { errors: 1, items: [{ path: 'manual.md', line: 5 }] } })
    expect(states(space, bad).at(-1)).toBe(failure)
    expect(states(space, bad)).not.toContain(success)
    expect(last(space, bad)?.description).toMatch(/^1 page changed, 1 new fault: manual\.md:5, /)
    expect(last(space, bad)?.annotations).toEqual(name === 'github' ? ['manual.md:5'] : [])
    const quality = await request(space.stack, 'GET', `/spaces/${space.spaceId}/git/previews/${id}/code-quality`)
    expect(quality).toMatchObject([{ location: { path: 'manual.md', lines: { begin: 5 } }, severity: 'major' }])

    const good = await pushToFork(space, 7, { 'manual.md': fixed })
    await sendPull(space, { number: 7, state: 'open', commit: good })
    await untilChecked(space, 7, good)
    expect(states(space, good).at(-1)).toBe(success)

    expect(await sendPull(space, { number: 7, state: 'merged', commit: good })).toMatchObject({
      body: { started: true },
    })
    expect((await readPreview(space, preview.address, 'manual')).status).toBe(404)
    await eventually(() => expect(last(space, good)?.description).toMatch(/\. The pull request was merged$/))
    expect(last(space, good)).toMatchObject({ state: success, targetUrl: undefined })
    expect(await previewsOf(space)).toMatchObject([{ state: 'closed' }])
    expect((await previewsOf(space))[0]).not.toHaveProperty('address')
  })
})

describe('previews', () => {
  it('are found without webhooks, and end when their ref is gone', async () => {
    const space = await aPreviewedSpace('forgejo', { settings: { pollInterval: 10 } })
    await eventually(async () => {
      const sync = await request(space.stack, 'GET', `/spaces/${space.spaceId}/git/sync`)
      expect(sync).toMatchObject({ previews: { since: 0 } })
    })
    const commit = await pushToFork(space, 3, { 'manual.md': fixed })
    const preview = await untilChecked(space, 3, commit)
    expect((await readPreview(space, preview.address, 'manual')).status).toBe(200)
    await removeRef(space, 3)
    await eventually(async () => expect(await previewsOf(space)).toMatchObject([{ state: 'closed' }]))
    expect((await readPreview(space, preview.address, 'manual')).status).toBe(404)
  })

  it('lead to what they change: from where they began for members, and from what the site shows for others', async () => {
    const space = await aPreviewedSpace('gitea')
    const { preview } = await openPull(space, fixed)
    const titles = (text: string) => Array.from(text.matchAll(/<bdi>([^<]*)<\/bdi>/g), ([, title]) => title)
    const asVisitor = async (path: string) => readPreview(space, preview.address, path)
    const page = await asVisitor('manual')
    const link = /href="([^"]*~recto\/changes)"/.exec(page.text)?.[1] ?? ''
    expect(link).toMatch(/\/~\/pull-requests\/[^/]+\/~recto\/changes$/)
    const changes = await asVisitor('~recto/changes')
    expect([changes.status, titles(changes.text)]).toEqual([200, ['Manual']])

    // The branch goes on, and repairs a fault that the pull request has, too.
    await space.repository.addCommit({
      'lost.md': '# Lost\n\nHere it is.\n',
      'README.md': '# Home\n\nMain went on.\n',
      'SUMMARY.md': `${files['SUMMARY.md']}* [Lost](lost.md)\n`,
    })
    const commit = await pushToFork(space, 7, { 'manual.md': `${fixed}\nAnd more.\n` })
    await sendPull(space, { number: 7, state: 'open', commit })
    await eventually(async () => expect((await ask(`${space.siteUrl}/lost`)).text).toContain('Here it is.'))
    const { report } = await untilChecked(space, 7, commit)
    expect(report).toMatchObject({ base: expect.any(String), pages: { changed: 1 }, faults: { errors: 0 } })
    const later = await asVisitor('~recto/changes')
    expect([later.status, titles(later.text)]).toEqual([200, ['Home', 'Manual', 'Lost']])

    const { url } = (await admin.client.orgs.getSitePublishingPreviewById(organizationId, space.siteId)).data
    const entered = await ask(url)
    const cookie = await cookiesOf(`${reader}${entered.headers.location}`)
    const key = /pull-requests\/([^/]+)/.exec(preview.address ?? '')?.[1]
    const root = `${reader}/url/preview/${space.siteId}/~/pull-requests/${key}`
    const asMember = await ask(`${root}/~recto/changes`, { headers: { cookie } })
    expect([asMember.status, titles(asMember.text)]).toEqual([200, ['Manual']])
    expect((await ask(`${root}/~recto/changes`)).status).toBe(404)
  })

  it('are for members where the repository or the site is not for everybody, and end when they are switched off', async () => {
    const space = await aPreviewedSpace('gitea', { site: { visibility: 'unlisted' } })
    const { preview, commit } = await openPull(space, fixed)
    expect(preview.access).toBe('members')
    expect((await readPreview(space, preview.address, 'manual')).status).toBe(404)
    const previews = { forge: 'gitea', apiUrl: space.forge.apiUrl, access: 'open' }
    await setPreviews(space, space.url, { previews })
    await eventually(async () => expect((await readPreview(space, preview.address, 'manual')).status).toBe(200))
    await setPreviews(space, space.url, { previews: null })
    await eventually(async () => expect((await readPreview(space, preview.address, 'manual')).status).toBe(404))
    await eventually(() => expect(last(space, commit)?.description).toMatch(/Previews were switched off$/))
    expect(await previewsOf(space)).toEqual([])
  })

  it('have statuses that wait for a forge that limits requests or is away', async () => {
    const space = await aPreviewedSpace('gitea')
    space.forge.fail(
      { status: 429, headers: { 'retry-after': '1' } },
      { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0' } },
      { status: 503 },
    )
    const { commit } = await openPull(space, fixed)
    expect(space.forge.refused).toBe(3)
    expect(states(space, commit).at(-1)).toBe('success')
  })

  it('do not read webhooks without the right signature, nor earlier states', async () => {
    const space = await aPreviewedSpace('github')
    const { commit } = await openPull(space, fixed)
    const closed = { number: 7, state: 'closed', commit } as const
    expect((await sendPull(space, { ...closed, by: 'another-secret-of-webhooks' })).status).toBe(401)
    expect(await sendPull(space, { ...closed, at: 1 })).toMatchObject({ status: 200, body: { started: false } })
    expect(await previewsOf(space)).toMatchObject([{ state: 'ready' }])
  })
})

/** Pushes to pull request 7, and tells that it is open. */
async function push(space: PreviewedSpace, text: string): Promise<string> {
  const commit = await pushToFork(space, 7, { 'manual.md': text })
  await sendPull(space, { number: 7, state: 'open', commit })
  return commit
}

const untilPreview = (space: PreviewedSpace, expected: object) =>
  eventually(async () => expect(await previewsOf(space)).toMatchObject([expected]))

describe('a synchronisation that is deleted', () => {
  it('forgets the statuses that wait with its token, and sends none any more', async () => {
    const space = await aPreviewedSpace('gitea')
    const hold = space.forge.holdReply()
    const commit = await push(space, fixed)
    await hold.reached
    await untilPreview(space, { state: 'ready', status: { delivered: false } })
    await sendOk(stack, admin, { method: 'DELETE', path: `/spaces/${space.spaceId}/git/sync` })
    hold.release()
    expect(await previewsOf(space)).toEqual([])
    // Whatever was to be sent would have been by the time at which another space has all of its own.
    await openPull(await aPreviewedSpace('gitea'), fixed)
    expect(space.forge.of(commit).map(({ state }) => state)).toEqual(['pending'])
    expect(space.forge.refused).toBe(0)
  })
})

describe('git-worker that is killed', () => {
  const kill = () => process.kill(stack.pidOf('git-worker'), 'SIGKILL')

  it('sends exactly the true status after a check that was not written, or not delivered, or whose delivery was not answered', async () => {
    // The report is written, and its status waits behind one that the forge does not answer.
    const undelivered = await aPreviewedSpace('gitea')
    const first = undelivered.forge.holdReply()
    const ofUndelivered = await push(undelivered, broken)
    await first.reached
    await untilPreview(undelivered, { state: 'ready', commit: ofUndelivered, status: { delivered: false } })
    // The forge has the result, and has not answered.
    const unanswered = await aPreviewedSpace('github', { allowsChecks: true })
    const result = unanswered.forge.holdReply(({ state }) => state === 'failure')
    const ofUnanswered = await push(unanswered, broken)
    await result.reached
    // The commit is read, and its report is not written: the check begins when git answers, and ends at the lock.
    const unwritten = await aPreviewedSpace('gitea')
    const handOver = await lockRow(databaseUrl(stack.dataDir, 'content'), { table: 'spaces', id: unwritten.spaceId })
    const ofUnwritten = await push(unwritten, broken)
    await untilAwaited(handOver)
    git.pause()
    await handOver.release()
    await untilPreview(unwritten, { state: 'checking', status: { state: 'pending', delivered: true } })
    await eventually(() => expect(git.held()).toBeGreaterThan(0))
    const sync = { table: 'git_syncs', column: 'space_id', id: unwritten.spaceId }
    const report = await lockRow(databaseUrl(stack.dataDir, 'git-worker'), sync)
    git.resume()
    await untilAwaited(report)
    kill()
    await report.release()
    for (const hold of [first, result]) hold.release()
    for (const [space, commit] of [
      [undelivered, ofUndelivered],
      [unanswered, ofUnanswered],
      [unwritten, ofUnwritten],
    ] as const) {
      await untilChecked(space, 7, commit)
      const history = states(space, commit)
      expect(history.at(-1)).toBe('failure')
      // One that nobody has sent before it is out of date is not sent any more: there may be none.
      expect(new Set(history.filter(state => state !== 'pending'))).toEqual(new Set(['failure']))
      expect(last(space, commit)?.description).toMatch(/^1 page changed, 1 new fault: manual\.md:5, /)
    }
  })

  it('says nothing that is not so, whichever stage it is killed at', async () => {
    const space = await aPreviewedSpace('gitea')
    // While the head is fetched.
    const commit = await pushToFork(space, 7, { 'manual.md': broken })
    git.pause()
    const reply = await sendPull(space, { number: 7, state: 'open', commit })
    expect(reply.status).toBe(200)
    await eventually(() => expect(git.held()).toBeGreaterThan(0))
    kill()
    git.resume()
    await untilChecked(space, 7, commit)
    expect(states(space, commit).at(-1)).toBe('failure')
    expect(states(space, commit)).not.toContain('success')

    // When the forge has a status, and that is not noted.
    const hold = space.forge.holdReply()
    const good = await pushToFork(space, 7, { 'manual.md': fixed })
    await sendPull(space, { number: 7, state: 'open', commit: good })
    await hold.reached
    kill()
    hold.release()
    await untilChecked(space, 7, good)
    expect(states(space, good).at(-1)).toBe('success')

    // When a pull request is merged while its last status is on the way.
    const lastHold = space.forge.holdReply()
    await sendPull(space, { number: 7, state: 'merged', commit: good })
    await lastHold.reached
    kill()
    lastHold.release()
    await eventually(async () => expect(await previewsOf(space)).toMatchObject([{ status: { delivered: true } }]))
    expect(last(space, good)).toMatchObject({ state: 'success', targetUrl: undefined })
    expect(states(space, commit).at(-1)).toBe('failure')
  })
})
