import { transact } from '@recto/database'
import { replySchemas } from '@recto/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { aPublishing, organization, secret, type PublishingSetup } from '../test/publishing-setup.ts'
import { McpServerEntity } from './mcp-server.entity.ts'
import * as repository from './mcp-servers.repository.ts'
import { reencryptHeaders } from './reencrypt-headers.ts'
import { serversFor } from './servers-for.ts'

const schemas = replySchemas()
const hidden = '********'
const needle = 'a-key-that-nobody-reads-again'

let publishing: PublishingSetup
let params: { organizationId: string; siteId: string }
beforeAll(async () => void (publishing = await aPublishing()))
beforeEach(async () => {
  const { id } = await client().createSite({ params: { organizationId: organization }, body: {} })
  params = { organizationId: organization, siteId: id }
})
afterAll(() => publishing.stop())

const client = () => publishing.as('create')
const at = (siteMcpServerId: string) => ({ ...params, siteMcpServerId })
const orders = { name: 'Orders', url: 'https://mcp.test/mcp', transport: 'http' as const, headers: { 'X-Key': needle } }
const create = (body: object = {}) => client().createSiteMcpServer({ params, body: { ...orders, ...body } as never })
const refused = (path: string) => ({ code: 'invalid_request', details: [expect.objectContaining({ path })] })
/** The servers that answers get. */
const serversNow = (claims: object = {}, key = secret) =>
  serversFor({ db: publishing.service.db, signingSecret: [key] }, params.siteId, { claims: { ...claims } })

it('MCP servers are created, listed, read, updated and deleted', async () => {
  const created = await create({ condition: 'visitor.claims.beta' })
  expect(schemas.validateReply('createSiteMcpServer', 201, created)).toEqual([])
  const { id } = created
  const location = `http://recto.test/v1/orgs/${organization}/sites/${params.siteId}/mcp-servers/${id}`
  const presented = { ...orders, headers: { 'X-Key': hidden }, condition: 'visitor.claims.beta', urls: { location } }
  expect(created).toEqual({ object: 'site-mcp-server', id, ...presented })
  const second = await client().createSiteMcpServer({
    params,
    body: { name: 'Older', url: 'http://mcp.test/sse', headers: {} },
  })
  expect(second).toMatchObject({ transport: 'sse', headers: {} })
  expect(second).not.toHaveProperty('condition')

  const listed = await client().listSiteMcpServers({ params })
  expect(schemas.validateReply('listSiteMcpServers', 200, listed)).toEqual([])
  expect(listed).toMatchObject({ items: [second, created], count: 2 })
  const read = await client().getSiteMcpServerById({ params: at(id) })
  expect(schemas.validateReply('getSiteMcpServerById', 200, read)).toEqual([])
  expect(read).toEqual(created)

  const update = (body: object) => client().updateSiteMcpServerById({ params: at(id), body })
  const renamed = await update({ name: 'Invoices', transport: 'sse' })
  expect(schemas.validateReply('updateSiteMcpServerById', 200, renamed)).toEqual([])
  expect(renamed).toEqual({ ...created, name: 'Invoices', transport: 'sse' })
  expect(await update({})).toEqual(renamed)
  expect(await update({ condition: null })).not.toHaveProperty('condition')

  await client().deleteSiteMcpServerById({ params: at(id) })
  await client().deleteSiteMcpServerById({ params: at(id) })
  const missing = { code: 'not_found', message: 'There is no such MCP server' }
  await expect(client().getSiteMcpServerById({ params: at(id) })).rejects.toMatchObject(missing)
  await expect(update({ name: 'Gone' })).rejects.toMatchObject(missing)
})

describe('The headers of a server', () => {
  it('are stored so that only the secret opens them, and stay when a change has hidden values', async () => {
    const { id } = await create()
    const rows = await repository.allOn(publishing.service.db, params.siteId)
    expect(rows.map(({ headers }) => headers.includes(needle))).toEqual([false])
    expect(JSON.stringify(rows)).not.toContain(needle)
    const headers = { 'x-key': hidden, Other: 'o' }
    const changed = await client().updateSiteMcpServerById({ params: at(id), body: { headers } })
    expect(changed.headers).toEqual({ 'x-key': hidden, Other: hidden })
    expect(await serversNow()).toEqual([{ ...orders, headers: { 'x-key': needle, Other: 'o' } }])
    expect(await serversNow({}, 'another secret of enough characters')).toEqual([])
  })

  it('do not go to another origin than the one that they were given for', async () => {
    const { id } = await create()
    const update = (body: object) => client().updateSiteMcpServerById({ params: at(id), body })
    const url = 'https://elsewhere.test/mcp'
    await expect(update({ url })).rejects.toMatchObject(refused('body.headers'))
    await expect(update({ url, headers: { 'X-Key': hidden } })).rejects.toMatchObject(refused('body.headers.X-Key'))
    expect(await serversNow()).toEqual([orders])
    expect(await update({ url, headers: { 'X-Key': 'new' } })).toMatchObject({ url })
  })

  it('are encrypted anew with the current secret', async () => {
    await create()
    const { db } = publishing.service
    const next = 'the next secret of 32 characters or more'
    const lines: string[] = []
    const transaction = (work: Parameters<typeof transact>[2]) => transact(db, () => undefined, work)
    const context = { db, transaction, print: (line: string) => void lines.push(line) }
    await reencryptHeaders([next, secret])([], context as never)
    expect(await serversNow({}, next)).toEqual([orders])
    expect(lines.join()).toContain('encrypted anew')
    await reencryptHeaders([secret, next])([], context as never)
    expect(await serversNow()).toEqual([orders])
  })
})

describe('A server is refused', () => {
  it.each<[string, object, string]>([
    ['without a name', { name: '' }, 'body.name'],
    ['with a long name', { name: 'x'.repeat(101) }, 'body.name'],
    ['with another scheme', { url: 'file:///etc/passwd' }, 'body.url'],
    ['with credentials in its URL', { url: 'https://a:b@mcp.test/' }, 'body.url'],
    ['with another transport', { transport: 'stdio' }, 'body.transport'],
    ['with a header that the protocol sets', { headers: { Host: 'a' } }, 'body.headers.Host'],
    ['with a hop-by-hop header', { headers: { 'Transfer-Encoding': 'a' } }, 'body.headers.Transfer-Encoding'],
    ['with a length of its own', { headers: { 'content-length': '1' } }, 'body.headers.content-length'],
    ['with no name of a header', { headers: { 'a b': 'a' } }, 'body.headers.a b'],
    ['with an empty value', { headers: { A: '' } }, 'body.headers.A'],
    ['with a value of two lines', { headers: { A: 'a\r\nB: b' } }, 'body.headers.A'],
    ['with a value that is too long', { headers: { A: 'a'.repeat(513) } }, 'body.headers.A'],
    ['with one header twice', { headers: { A: 'a', a: 'b' } }, 'body.headers'],
    [
      'with many headers',
      { headers: Object.fromEntries([...Array(21).keys()].map(at => [`H${at}`, 'a'])) },
      'body.headers',
    ],
    ['with a hidden value', { headers: { A: hidden } }, 'body.headers.A'],
    ['with a condition that is no expression', { condition: 'visitor.claims ===' }, 'body.condition'],
  ])('%s', async (_what, body, path) => {
    await expect(create(body)).rejects.toMatchObject(refused(path))
    expect(await serversNow()).toEqual([])
  })

  it('when the site has ten', async () => {
    for (let count = 0; count < 10; count += 1) await create({ name: `Server ${count}` })
    await expect(create()).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('10') })
  })
})

it('MCP servers are shown to those only who manage the site, and are those of their site', async () => {
  const { id } = await create()
  for (const role of ['read', 'review', 'edit'] as const) {
    await expect(publishing.as(role).listSiteMcpServers({ params })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(publishing.as(role).getSiteMcpServerById({ params: at(id) })).rejects.toMatchObject({
      code: 'forbidden',
    })
  }
  const other = await client().createSite({ params: { organizationId: organization }, body: {} })
  const elsewhere = { ...at(id), siteId: other.id }
  await expect(client().getSiteMcpServerById({ params: elsewhere })).rejects.toMatchObject({ code: 'not_found' })
  await client().deleteSiteMcpServerById({ params: elsewhere })
  expect(await serversNow()).toHaveLength(1)
})

it('Answers get the servers whose condition holds; a deleted site has none', async () => {
  await create({ name: 'All' })
  await create({ name: 'Pro', condition: 'visitor.claims.plan == "pro"' })
  const names = async (claims: object) => (await serversNow(claims)).map(({ name }) => name)
  expect(await names({ plan: 'pro' })).toEqual(['All', 'Pro'])
  expect(await names({ plan: 'free' })).toEqual(['All'])
  expect(
    await serversFor({ db: publishing.service.db, signingSecret: [secret] }, params.siteId, undefined),
  ).toHaveLength(1)
  await publishing.as('admin').deleteSiteById({ params })
  expect(await names({ plan: 'pro' })).toEqual([])
})

it('Headers whose secret is lost can be given anew; until then answers do without the server', async () => {
  const { id } = await create()
  await publishing.service.db.update(McpServerEntity, { id }, { headers: Buffer.alloc(40) })
  expect(await serversNow()).toEqual([])
  expect(await client().getSiteMcpServerById({ params: at(id) })).toMatchObject({ name: orders.name, headers: {} })
  const update = (body: object) => client().updateSiteMcpServerById({ params: at(id), body })
  await expect(update({ name: 'Invoices' })).rejects.toMatchObject(refused('body.headers'))
  await expect(update({ headers: { 'X-Key': hidden } })).rejects.toMatchObject(refused('body.headers.X-Key'))
  await update({ headers: { 'X-Key': 'another' } })
  expect(await serversNow()).toEqual([{ ...orders, headers: { 'X-Key': 'another' } }])
})
