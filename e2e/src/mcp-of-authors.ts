import { api } from '@recto/contracts'
import { groupOf } from '@recto/operation'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { conformance, inspect, mcpClient, mcpMessage, postMcp, type McpClient } from './mcp-client.ts'
import { aMember, sendOk } from './people.ts'
import type { ReaderSites } from './reader-sites.ts'

/** Scenarios of the official suite that any server with tools can pass. */
/** The scenarios that ask for no tools, prompts and resources of the suite's own server; `mcp-conformance.test.ts` has the others. */
// prettier-ignore
const generalScenarios = ['dns-rebinding-protection', 'ping', 'server-initialize', 'server-sse-multiple-streams', 'tools-list']
const generalTools = ['findOperation', 'describeOperation', 'callOperation']

interface Authors {
  sitesOf: () => ReaderSites
  url: () => string
  /** The header of the admin's token, or of one of the admin with this scope. */
  bearer: (scope?: 'read') => Promise<{ authorization: string }>
}

/** The MCP server of the API of an installation. */
export function mcpOfAuthors(sitesOf: () => ReaderSites): void {
  const url = () => `${sitesOf().stack.url}/mcp`
  const bearer = async (scope?: 'read') => {
    const { stack, admin } = sitesOf()
    const body = { name: 'agent', scopes: [scope] }
    const path = `/users/${admin.id}/tokens`
    const made = scope && (await sendOk<{ token: string }>(stack, stack, { method: 'POST', path, body }))
    return { authorization: `Bearer ${made?.token ?? admin.token}` }
  }
  for (const part of [story, operations, rights, programs]) part({ sitesOf, url, bearer })
}

const json = (text: string) => JSON.parse(text) as Record<string, never>

/** From a question to a page that is published. */
function story({ sitesOf, url, bearer }: Authors): void {
  it('An author lets an agent find, write, review, merge and publish', async () => {
    const { organizationId, docs, admin } = sitesOf()
    const { call } = await mcpClient(url(), await bearer())
    const reply = async (name: string, input: object) => {
      const { text, isError } = await call(name, input)
      expect([name, isError, text]).toEqual([name, false, text])
      return text.startsWith('{') ? json(text) : {}
    }
    expect(await reply('whoAmI', {})).toMatchObject({ id: admin.id })
    expect(await reply('listOrganizations', {})).toMatchObject({ items: [{ id: organizationId }] })
    const spaces = await reply('listSpaces', { organizationId, limit: '100' })
    expect(spaces).toMatchObject({ items: expect.arrayContaining([expect.objectContaining({ id: docs.manual })]) })
    expect(await reply('search', { organizationId, query: 'zebracorn' })).toMatchObject({ items: [expect.anything()] })
    const options = await reply('readPage', { spaceId: docs.manual, pagePath: 'reference/options' })
    expect(options).toMatchObject({ markdown: expect.stringContaining('Default') })
    const spaceId = docs.old
    const { id: changeRequestId } = await reply('createChangeRequest', { spaceId, subject: 'By an agent' })
    const changes = [{ operation: 'insert_page', title: 'Agents', document: { markdown: '# Agents\n\nWrite so.' } }]
    await reply('writePages', { spaceId, changeRequestId, changes })
    await reply('postComment', { spaceId, changeRequestId, body: { markdown: 'Is this right?' } })
    expect(await reply('listComments', { spaceId, changeRequestId })).toMatchObject({ items: [expect.anything()] })
    const reviewer = await aMember(sitesOf().stack, { id: organizationId, admin }, 'review')
    await reply('requestReview', { spaceId, changeRequestId, users: [reviewer.id] })
    const reviewing = await mcpClient(url(), { authorization: `Bearer ${reviewer.token}` })
    const approval = await reviewing.call('reviewChangeRequest', { spaceId, changeRequestId, status: 'approved' })
    expect(approval.isError).toBe(false)
    await reply('mergeChangeRequest', { spaceId, changeRequestId })
    expect(await reply('readPage', { spaceId, pagePath: 'agents' })).toMatchObject({ title: 'Agents' })
    const sites = await reply('listSites', { organizationId })
    expect(sites).toMatchObject({ items: expect.arrayContaining([expect.objectContaining({ id: docs.siteId })]) })
    expect((await call('publishSite', { organizationId, siteId: docs.siteId })).isError).toBe(false)
  })
}

/** Every operation of the contract. */
function operations({ sitesOf, url, bearer }: Authors): void {
  describe('an operation of the API', () => {
    let client: McpClient
    beforeAll(async () => void (client = await mcpClient(url(), await bearer())))

    it('is found by words, and described with the schemas of the contract', async () => {
      const search = json((await client.call('findOperation', { query: 'create a space' })).text)
      expect(search).toMatchObject({
        operations: expect.arrayContaining([expect.objectContaining({ operationId: 'createSpace' })]),
      })
      for (const operationId of Object.values(api).flatMap(rows => Object.keys(rows))) {
        const { text, isError } = await client.call('describeOperation', { operationId })
        expect([operationId, isError, json(text).operationId]).toEqual([operationId, false, operationId])
        const missing = [...text.matchAll(/"#\/\$defs\/([^"]+)"/g)].filter(
          ([, name = '']) => !text.includes(`"${name}":`),
        )
        expect([operationId, missing, text.includes('#/components')]).toEqual([operationId, [], false])
      }
    })

    it('is called as its HTTP request would be, with its validation and its idempotency', async () => {
      const { organizationId: id, docs } = sitesOf()
      const params = { organizationId: id }
      const call = (input: object) => client.call('callOperation', input)
      const creation = { operationId: 'createSpace', params, body: { title: 'Once' }, idempotencyKey: 'agent-1' }
      const first = json((await call(creation)).text)
      expect(json((await call(creation)).text)).toMatchObject({ id: first.id })
      const deletion = await call({ operationId: 'deleteSpaceById', params: { spaceId: first.id } })
      expect(deletion).toMatchObject({ text: 'Done', isError: false })
      const page = { operationId: 'getPageByPath', params: { spaceId: docs.manual, pagePath: 'reference/options' } }
      expect(json((await call({ ...page, query: { format: 'markdown' } })).text)).toMatchObject({ title: 'Options' })
      for (const [input, message] of [
        [{ operationId: 'createSpace', params, body: { title: 7 } }, /^400: .*\nbody\.title: /],
        [{ operationId: 'createSpace', body: { title: 'A' } }, /^params\.organizationId: must be given/],
        [{ operationId: 'getSpaceById', params: { spaceId: 'nothing' } }, /^404: /],
        [{ operationId: 'getSpaceById', params: { spaceId: '../user' } }, /^404: /],
        [{ ...creation, idempotencyKey: 'a\r\nb' }, /^idempotencyKey: must be printable ASCII/],
        [{ ...page, params: { ...page.params, other: 'x' } }, /^params\.other: is no parameter of the path /],
        [{ operationId: 'nothing' }, /^There is no operation nothing/],
        [{ operationId: 'listSpacesInOrganizationById', params, query: { limit: 'x' } }, /^400: .*\nquery\.limit: /],
        [{ operationId: 'completeSamlLogin', params: {} }, /There is no operation|for programs/],
      ] as const) {
        const { text, isError } = await call(input)
        expect([isError, text]).toEqual([true, expect.stringMatching(message)])
      }
      const { text, isError } = await client.call('createChangeRequest', { spaceId: docs.manual, other: 1 })
      expect([isError, text]).toEqual([true, 'other: is not taken by this tool'])
    })
  })
}

/** Tokens and what they allow. */
function rights({ sitesOf, url, bearer }: Authors): void {
  const list = mcpMessage('tools/list')

  it('A token that reads has no tools that write, and writes nothing by an operation either', async () => {
    const { client, call } = await mcpClient(url(), await bearer('read'))
    const { tools } = await client.listTools()
    const curated = tools.filter(({ name }) => !generalTools.includes(name))
    expect(curated.map(({ annotations }) => annotations?.readOnlyHint)).toEqual(curated.map(() => true))
    expect(curated.length).toBeGreaterThan(5)
    const { spaces } = sitesOf().admin.client
    const before = (await spaces.listChangeRequestsForSpace(sitesOf().docs.manual)).data.items.length
    const params = { spaceId: sitesOf().docs.manual }
    const { text, isError } = await call('callOperation', { operationId: 'createChangeRequest', params, body: {} })
    expect([isError, text]).toEqual([true, '403: The token lacks the scope space:write'])
    await expect(call('createChangeRequest', params)).rejects.toMatchObject({ code: -32602 })
    expect((await spaces.listChangeRequestsForSpace(sitesOf().docs.manual)).data.items).toHaveLength(before)
  })

  it('The hints of tools follow from their rows', async () => {
    const { client } = await mcpClient(url(), await bearer())
    const rows = Object.values(api).flatMap(table => Object.entries(table))
    const { tools } = await client.listTools()
    for (const { name, description = '', annotations, inputSchema } of tools) {
      const [, row] = rows.find(([id]) => description.includes(`(${id})`)) ?? []
      if (!row) expect(generalTools).toContain(name)
      else expect([name, annotations?.readOnlyHint]).toEqual([name, groupOf(row) === 'read'])
      const size = JSON.stringify(inputSchema).length
      expect([name, size < 20_000, JSON.stringify(inputSchema).includes('#/components')]).toEqual([name, true, false])
    }
  })

  it.each([
    ['no token', {}, 401],
    ['an unknown token', { authorization: 'Bearer nothing' }, 401],
    ['a page of another origin', { origin: 'https://elsewhere.test' }, 403],
  ])('A request with %s is refused', async (_what, headers, status) => {
    const own = 'origin' in headers ? await bearer() : {}
    const answer = await postMcp(url(), list, { ...own, ...headers })
    expect([answer.status, json(answer.text)]).toMatchObject([status, { error: { code: -32000 } }])
    const metadata = `${sitesOf().stack.url}/.well-known/oauth-protected-resource/mcp`
    const challenge = `Bearer realm="recto", resource_metadata="${metadata}"`
    if (status === 401) expect(answer.headers['www-authenticate']).toBe(challenge)
  })

  it('The token of a visitor is none of an author', async () => {
    const { stack, docs } = sitesOf()
    const body = { url: `https://${docs.name}.docs.localhost/` }
    const lookup = await fetch(`${stack.url}/v1/urls/published`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { apiToken } = (await lookup.json()) as { apiToken: string }
    expect((await postMcp(url(), list, { authorization: `Bearer ${apiToken}` })).status).toBe(403)
  })

  it('Whatever is no POST is refused', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await fetch(url(), { method, headers: await bearer() })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    }
  })
}

/** The programs that the authors of the protocol publish. */
function programs({ url, bearer }: Authors): void {
  it('The command line of the official inspector calls tools for authors', async () => {
    const headers = await bearer('read')
    const { Authorization } = { Authorization: headers.authorization }
    expect(await inspect(url(), ['--method', 'tools/list'], { Authorization })).toMatchObject({
      tools: expect.any(Array),
    })
    const args = ['--method', 'tools/call', '--tool-name', 'whoAmI']
    expect(await inspect(url(), args, { Authorization })).toMatchObject({ content: [{ type: 'text' }] })
  })

  it('The server for authors passes what the official conformance suite asks of any server', async () => {
    const { passed, failed } = await conformance(url(), await bearer())
    const all = passed.length + failed.length
    console.warn(`Conformance of the server for authors: ${passed.length} of ${all}: ${passed.join(', ')}`)
    expect(passed).toEqual(generalScenarios)
  })
}
