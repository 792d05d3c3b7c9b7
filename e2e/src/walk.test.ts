import { aGitServer, aRepository, cloneBundle, sharedBundle, type GitServer } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { manual } from './fixtures/manual.ts'
import { isClientError } from './published-client.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'
import {
  aSpace,
  readRepositoryFile,
  importRepository,
  linksOf,
  outlineOf,
  outlineOfSummary,
  listRepositoryPaths,
  request,
  validReply,
} from './walk.ts'

interface Repository {
  name: string
  path: string
  /** Pages that SUMMARY.md lists. */
  pages: number
  remove(): Promise<void>
}

const bundles = [
  { name: 'fluentd-docs', pages: 191 },
  { name: 'block-normalization', pages: 18 },
].map(bundle => ({ ...bundle, file: sharedBundle(`${bundle.name}.bundle`) }))

let stack: Installation
let git: GitServer
const repositories: Repository[] = []

beforeAll(async () => {
  repositories.push({ name: 'manual', pages: 5, ...(await aRepository({ files: manual })) })
  for (const { name, pages, file } of bundles)
    if (file) repositories.push({ name, pages, ...(await cloneBundle(file)) })
  git = await aGitServer({ repositories: Object.fromEntries(repositories.map(({ name, path }) => [name, path])) })
  stack = await sharedStack()
})

afterAll(async () => {
  await git.stop()
  await Promise.all(repositories.map(repository => repository.remove()))
})

const names = ['manual', ...bundles.map(({ name }) => name)]

describe.each(names)('a new user imports %s with the published client', name => {
  const missing = bundles.find(bundle => bundle.name === name && !bundle.file)
  if (missing) console.warn(`${name}: skipped, since ../shared/data/${name}.bundle is not there`)

  const walk = missing ? it.skip : it
  walk('and reads all of it', async () => {
    const { client } = stack
    const repository = repositories.find(one => one.name === name) as Repository
    const user = validReply('getAuthenticatedUser', await client.user.getAuthenticatedUser())
    expect(user).toMatchObject({ object: 'user' })
    const organization = await request<{ id: string }>(stack, 'POST', '/orgs', { title: name })
    validReply('getOrganizationById', await client.orgs.getOrganizationById(organization.id))
    const made = validReply('createSpace', await client.orgs.createSpace(organization.id, { title: 'Manual' } as never))
    validReply('listSpacesInOrganizationById', await client.orgs.listSpacesInOrganizationById(organization.id))

    const operation = await importRepository(stack, made.id, git.url(name))
    expect(operation).toMatchObject({ state: 'success', attempts: 1 })

    const space = validReply('getSpaceById', await client.spaces.getSpaceById(made.id))
    expect(space).toMatchObject({ revision: operation.revision })
    validReply('getSpaceGitInfo', await client.spaces.getSpaceGitInfo(made.id))
    const revision = validReply('getCurrentRevision', await client.spaces.getCurrentRevision(made.id))
    validReply('getRevisionById', await client.spaces.getRevisionById(made.id, revision.id))
    expect(revision).toMatchObject({ git: { oid: operation.commit } })
    const { pages } = validReply('listPages', await client.spaces.listPages(made.id))

    const summary = (await readRepositoryFile(repository.path, 'SUMMARY.md')).toString()
    const outline = outlineOf(pages as never)
    expect(outline).toEqual(
      outlineOfSummary(summary.replaceAll(/\]\(<(.+)>\)/g, ']($1)')).map(([depth, title, path]) => [
        depth,
        title,
        path?.startsWith('http') ? undefined : path,
      ]),
    )
    expect(outline.filter(([, , path]) => path !== undefined)).toHaveLength(repository.pages)

    await readPages(made.id, repository.path)
    await readFiles(made.id, repository.path)
    await searchAndFollow(organization.id, made.id, outline.find(([, , path]) => path !== undefined)?.[1] ?? '')
  })
})

async function readPages(spaceId: string, repository: string): Promise<void> {
  const { pages } = (await stack.client.spaces.listPages(spaceId)).data
  for (const { id, path } of withFile(pages as never)) {
    const page = validReply('getPageById', await stack.client.spaces.getPageById(spaceId, id, { format: 'markdown' }))
    expect((page as { markdown: string }).markdown).toBe((await readRepositoryFile(repository, path)).toString())
  }
}

interface TreePage {
  id: string
  git?: { path: string }
  pages?: TreePage[]
}

function withFile(pages: TreePage[]): { id: string; path: string }[] {
  return pages.flatMap(page => [
    ...(page.git ? [{ id: page.id, path: page.git.path }] : []),
    ...withFile(page.pages ?? []),
  ])
}

/** Searches for the title of a page and follows links, once both follow the import. */
async function searchAndFollow(organization: string, spaceId: string, title: string): Promise<void> {
  const { orgs, spaces } = stack.client
  const usages = validReply('listSpaceLinks', await linksOf(stack, spaceId))
  expect(usages.count).toBe(usages.stats.total)
  const hits = validReply('searchSpaceContent', await spaces.searchSpaceContent(spaceId, { query: title }))
  expect(hits.items[0]).toMatchObject({ title })
  const hitsOfTitle = await orgs.searchOrganizationContent(organization, { query: title })
  expect(validReply('searchOrganizationContent', hitsOfTitle).items).toMatchObject([{ id: spaceId }])
  for (const status of ['ok', 'broken', 'in-app'] as never[])
    validReply('listSpaceLinks', await spaces.listSpaceLinks(spaceId, { status, limit: 1_000 }))
  const pageId = hits.items[0]?.id ?? ''
  validReply('listPageLinksInSpace', await spaces.listPageLinksInSpace(spaceId, pageId))
  validReply('listSpacePageBacklinks', await spaces.listSpacePageBacklinks(spaceId, pageId))
  const [file] = (await spaces.listFiles(spaceId)).data.items
  if (file) validReply('listSpaceFileBacklinks', await spaces.listSpaceFileBacklinks(spaceId, file.id))
}

async function readFiles(spaceId: string, repository: string): Promise<void> {
  const read: string[] = []
  let page: string | undefined
  do {
    const list = validReply(
      'listFiles',
      await stack.client.spaces.listFiles(spaceId, { limit: 100, ...(page !== undefined && { page }) }),
    )
    for (const file of list.items) {
      const path = file.git?.path ?? ''
      const download = await fetch(file.downloadURL)
      expect([path, download.status]).toEqual([path, 200])
      const bytes = Buffer.from(await download.arrayBuffer())
      expect(bytes.equals(await readRepositoryFile(repository, path))).toBe(true)
      expect([file.size, file.name]).toEqual([bytes.length, path.split('/').at(-1)])
      read.push(path)
    }
    page = list.next?.page
  } while (page !== undefined)
  const assets = (await listRepositoryPaths(repository)).filter(path => /\.(gif|png|svg)$/.test(path))
  expect(read).toEqual(expect.arrayContaining(assets))
}

describe('the edge', () => {
  const get = (path: string, init: RequestInit = {}) => fetch(`${stack.url}${path}`, init)
  const authorization = () => ({ authorization: `Bearer ${stack.token}` })

  it('serves an API description that a viewer can load', async () => {
    const document = (await (await get('/openapi.json')).json()) as { openapi: string; paths: object }
    expect(document).toMatchObject({ openapi: '3.1.0' })
    expect(Object.keys(document.paths)).toContain('/spaces/{spaceId}/git/import')
    const page = await get('/docs')
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('swagger-ui-bundle.js')])
    expect((await get('/docs/swagger-ui-bundle.js')).status).toBe(200)
  })

  it.each(['/livez', '/readyz', '/metrics'])('%s answers without a token', async path => {
    expect((await get(path)).status).toBe(200)
  })

  it.each<[string, string, RequestInit & { token?: string }, number]>([
    ['no token', '/v1/user', { token: '' }, 401],
    ['a wrong token', '/v1/user', { token: 'recto_wrong' }, 401],
    ['an unknown path', '/v1/nothing', {}, 404],
    ['an unknown space', '/v1/spaces/nothing', {}, 404],
    ['a method that the path has not', '/v1/user', { method: 'DELETE' }, 405],
    [
      'a body that is not JSON',
      '/v1/orgs',
      { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
      400,
    ],
    [
      'a body of another type',
      '/v1/orgs',
      { method: 'POST', body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
    ],
    [
      'a body that is too large',
      '/v1/orgs',
      { method: 'POST', body: 'x'.repeat(1_048_577), headers: { 'content-type': 'application/json' } },
      413,
    ],
    [
      'a fault in the body',
      '/v1/orgs',
      { method: 'POST', body: '{"title":1}', headers: { 'content-type': 'application/json' } },
      400,
    ],
  ])('responds to %s with its status and the error body', async (_case, path, { token, ...init }, status) => {
    const headers = {
      ...init.headers,
      ...(token === undefined ? authorization() : token === '' ? {} : { authorization: `Bearer ${token}` }),
    }
    const reply = await get(path, { ...init, headers })
    expect([reply.status, await reply.json()]).toEqual([
      status,
      {
        error: {
          code: status,
          message: expect.any(String),
          ...(path === '/v1/orgs' && status === 400 && { details: expect.any(Array) }),
        },
      },
    ])
    if (status === 401) expect(reply.headers.get('www-authenticate')).toContain('Bearer')
    if (status === 405) expect(reply.headers.get('allow')).toBe('GET')
    expect(reply.headers.get('x-request-id')).toBeTruthy()
  })

  it('returns the reason to the client as its error type', async () => {
    const refused = stack.client.spaces.getSpaceById('nothing')
    expect(await refused.catch(isClientError)).toBe(true)
    await expect(refused).rejects.toMatchObject({ code: 404, errorMessage: 'There is no such space' })
  })

  it('a token with the scope read can only read, and is refused at once when it is revoked', async () => {
    const made = await request<{ id: string; token: string }>(stack, 'POST', '/user/tokens', {
      name: 'reader',
      scopes: ['read'],
    })
    const headers = { authorization: `Bearer ${made.token}`, 'content-type': 'application/json' }
    expect((await get('/v1/user', { headers })).status).toBe(200)
    expect((await get('/v1/orgs', { method: 'POST', headers, body: '{"title":"No"}' })).status).toBe(403)
    const reply = await get(`/v1/user/tokens/${made.id}`, { method: 'DELETE', headers: authorization() })
    expect(reply.status).toBe(204)
    expect((await get('/v1/user', { headers })).status).toBe(401)
  })

  it('sends rate limit and CORS headers', async () => {
    const reply = await get('/v1/user', { headers: { ...authorization(), origin: 'https://docs.example' } })
    expect(Number(reply.headers.get('x-ratelimit-remaining'))).toBeLessThan(
      Number(reply.headers.get('x-ratelimit-limit')),
    )
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    const preflight = await get('/v1/user', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://docs.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([204, 'authorization'])
  })

  it('a modified download link is not_found', async () => {
    const { spaceId } = await aSpace(stack)
    await importRepository(stack, spaceId, git.url('manual'))
    const { items } = (await stack.client.spaces.listFiles(spaceId)).data
    const link = items[0]?.downloadURL ?? ''
    expect((await fetch(link)).status).toBe(200)
    expect((await fetch(link.replace(/\/files\/.../, '/files/AAA'))).status).toBe(404)
  })
})
