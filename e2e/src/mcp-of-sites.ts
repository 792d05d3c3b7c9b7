import { eventually } from '@recto/testing'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { mcpChanges } from './mcp-changes.ts'
import { conformance, inspect, mcpClient, mcpMessage, postMcp, type McpClient } from './mcp-client.ts'
import { visitorJwt } from './reader.ts'
import { ask, type ReaderSites } from './reader-sites.ts'
import { sendOk } from './people.ts'

/** Scenarios of the official suite that any server can pass: the others call tools and prompts of its reference server. */
/** The scenarios that ask for no tools, prompts and resources of the suite's own server; `mcp-conformance.test.ts` has the others. */
// prettier-ignore
const generalScenarios = [
  'dns-rebinding-protection', 'ping', 'resources-list', 'server-initialize', 'server-sse-multiple-streams', 'tools-list',
]

interface Hit {
  title: string
  address: string
  revision: string
  sections: { address: string }[]
}

const list = mcpMessage('tools/list')

interface Place {
  sitesOf: () => ReaderSites
  /** An address of the site of the tests. */
  docs: (path?: string) => string
}

/** The MCP servers of the sites of an installation. */
export function mcpOfSites(sitesOf: () => ReaderSites): void {
  const docs = (path = '~gitbook/mcp') => `${sitesOf().reader}/${sitesOf().docs.name}/${path}`
  mcpChanges({ sitesOf, docs })
  for (const part of [tools, resources, officialPrograms, refusals, settings, secretLinks, logins])
    part({ sitesOf, docs })
}

/** Search and pages. */
function tools({ docs }: Place): void {
  describe('the MCP server of a public site', () => {
    let docsClient: McpClient
    beforeAll(async () => void (docsClient = await mcpClient(docs())))

    it('names the site, and has the tools that read it', async () => {
      expect(docsClient.client.getServerVersion()).toMatchObject({ title: 'Docs of tests' })
      const { tools } = await docsClient.client.listTools()
      expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
        ['searchDocumentation', true],
        ['getPage', true],
        ['listPages', true],
        ['listChanges', true],
        ['sendFeedback', false],
      ])
    })

    it('finds pages by words, and reads them by the addresses that it names', async () => {
      const hit = await eventually(async () => {
        const { data } = await docsClient.call('searchDocumentation', { query: 'zebracorn' })
        const [first] = (data as { hits: Hit[] }).hits
        if (!first) throw new Error('nothing is found yet')
        return first
      })
      expect(hit).toMatchObject({ title: 'Installation', address: expect.stringMatching(/^https:.*\/installation$/) })
      expect(hit.sections).toContainEqual(
        expect.objectContaining({ address: expect.stringMatching(/\/installation#[\w-]+$/) }),
      )
      const { text, isError } = await docsClient.call('getPage', { address: hit.address })
      expect(isError).toBe(false)
      expect(text).toMatch(/^# Installation\n\n> Source: <https:\S*installation>, revision `\w+`, changed 20/)
      expect(text).toContain(`revision \`${hit.revision}\``)
      expect(text).toContain('Remove the zebracorn package.')
    })

    it.each([
      ['installation', 'Installation'],
      ['/installation', 'Installation'],
      ['installation.md', 'Installation'],
      ['Installation#check-it', 'Installation'],
      ['', undefined],
      ['/', 'Welcome'],
      ['/old/installation', 'Installation'],
      ['/v/old/installation', 'Installation'],
      ['/api', 'Overview'],
      ['hidden-page', 'Hidden page'],
      ['nothing', undefined],
      ['../..', 'Welcome'],
      ['~recto/search', undefined],
      ['https://elsewhere.test/installation', undefined],
      ['//elsewhere.test/installation', undefined],
    ])('reads at "%s" the page %s', async (address, title) => {
      const { text, isError } = await docsClient.call('getPage', { address })
      expect([isError, /^# (.*)/.exec(text)?.[1]]).toEqual([title === undefined, title])
    })
  })
}

/** Lists, resources and feedback. */
function resources({ sitesOf, docs }: Place): void {
  describe('the MCP server of a public site, besides search and pages,', () => {
    let docsClient: McpClient
    beforeAll(async () => void (docsClient = await mcpClient(docs())))

    it('lists the pages that the navigation shows, of the section that is asked for, and no hidden ones', async () => {
      const titles = async (input: object) => {
        const { data } = await docsClient.call('listPages', input)
        const { pages, spaces } = data as { pages: { title: string }[]; spaces: { title: string; isListed: boolean }[] }
        return [pages.map(({ title }) => title), spaces.filter(({ isListed }) => isListed).map(({ title }) => title)]
      }
      expect(await titles({})).toEqual([['Welcome', 'Installation', 'On Linux', 'Options'], ['Manual']])
      expect(await titles({ space: '/api' })).toEqual([['Overview'], ['Api']])
      const { isError } = await docsClient.call('listPages', { cursor: 'bm90aGluZw' })
      expect(isError).toBe(true)
    })

    it('has its pages as resources, by their addresses', async () => {
      const { resources } = await docsClient.client.listResources()
      expect(resources.map(({ title }) => title)).toEqual(['Welcome', 'Installation', 'On Linux', 'Options'])
      const { contents } = await docsClient.client.readResource({ uri: resources[1]?.uri ?? '' })
      expect(contents).toMatchObject([{ uri: resources[1]?.uri, text: expect.stringContaining('zebracorn') }])
      const { resourceTemplates } = await docsClient.client.listResourceTemplates()
      expect(resourceTemplates).toMatchObject([{ uriTemplate: expect.stringMatching(/^https:.*\/\{\+path\}$/) }])
      const missing = docsClient.client.readResource({ uri: 'https://elsewhere.test/installation' })
      await expect(missing).rejects.toMatchObject({ code: -32002 })
    })

    it('passes feedback on to the people of the site, and counts its requests', async () => {
      const { stack, admin, organizationId } = sitesOf()
      const path = `/orgs/${organizationId}/sites/${sitesOf().docs.siteId}`
      const counted = async (type: string) => {
        const body = { range: 'last24Hours', where: [{ column: 'eventType', values: [type] }] }
        const sending = { method: 'POST', path: `${path}/insights/events/aggregate`, body }
        const { columns } = await sendOk<{ columns: { column: string; values: number[] }[] }>(stack, admin, sending)
        return columns.find(({ column }) => column === 'eventsCount')?.values[0] ?? 0
      }
      const summary = 'The command has no example'
      const { isError } = await docsClient.call('sendFeedback', { summary, page: 'installation' })
      expect(isError).toBe(false)
      await eventually(async () =>
        expect([await counted('agent_feedback'), (await counted('mcp_request')) > 0]).toEqual([1, true]),
      )
      const unreadable = await docsClient.call('sendFeedback', { summary: '' })
      expect([unreadable.isError, unreadable.text]).toEqual([true, expect.stringMatching(/^summary: /)])
    })
  })
}

/** The programs that the authors of the protocol publish. */
function officialPrograms({ docs }: Place): void {
  describe('the MCP server of a public site, by other programs,', () => {
    it('is read by the command line of the official inspector', async () => {
      expect(await inspect(docs(), ['--method', 'tools/list'])).toMatchObject({ tools: expect.any(Array) })
      const called = (tool: string, ...args: string[]) =>
        inspect(docs(), ['--method', 'tools/call', '--tool-name', tool, ...args.flatMap(arg => ['--tool-arg', arg])])
      expect(await called('searchDocumentation', 'query=zebracorn')).toMatchObject({
        structuredContent: { hits: [{ title: 'Installation' }] },
      })
      expect(await called('getPage', 'address=installation')).toMatchObject({
        content: [{ text: expect.stringContaining('zebracorn') }],
      })
      expect(await called('sendFeedback', 'summary=All is well')).not.toHaveProperty('isError', true)
    })

    it('passes what the official conformance suite asks of any server', async () => {
      const { passed, failed } = await conformance(docs())
      const all = passed.length + failed.length
      console.warn(`Conformance of the server of a site: ${passed.length} of ${all}: ${passed.join(', ')}`)
      expect(passed).toEqual(generalScenarios)
    })
  })
}

/** Requests that are not answered. */
function refusals({ docs }: Place): void {
  describe('the address of an MCP server', () => {
    it('is at a short address, too, where a GET is refused unless a page is there', async () => {
      expect((await postMcp(docs('mcp'), list)).status).toBe(200)
      const [program, person] = await Promise.all([
        ask(docs('mcp'), { headers: { accept: 'text/event-stream' } }),
        ask(docs(), { headers: { accept: 'text/html' } }),
      ])
      expect([program.status, program.headers.allow, person.status]).toEqual([405, 'POST', 405])
      expect(person.text).toContain('Model Context Protocol')
      expect((await ask(docs(), { method: 'DELETE' })).status).toBe(405)
    })

    it.each([
      ['a page of another origin', { origin: 'https://elsewhere.test' }, list, 403],
      ['what is no JSON', {}, '{', 400],
      ['a batch', {}, `[${list}]`, 400],
      ['a body that is too large', {}, mcpMessage('tools/list', { text: 'x'.repeat(70_000) }), 413],
      ['who accepts no JSON', { accept: 'text/html' }, list, 406],
    ])('refuses %s with an error of JSON-RPC', async (_what, headers, body, status) => {
      const answer = await postMcp(docs(), body, headers)
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
        status,
        { jsonrpc: '2.0', error: { code: expect.any(Number) } },
      ])
    })
  })
}

/** Sites that offer no server. */
function settings({ sitesOf, docs }: Place): void {
  describe('the MCP server of a public site, as its owners set it,', () => {
    let docsClient: McpClient
    beforeAll(async () => void (docsClient = await mcpClient(docs())))

    it('is no server of what is not published, or not there', async () => {
      const { admin, docs: site, stack, reader, organizationId } = sitesOf()
      const { id } = (await admin.client.spaces.createChangeRequest(site.manual, {} as never)).data
      const preview = { method: 'GET', path: `/orgs/${organizationId}/sites/${site.siteId}/publishing/preview` }
      const { url } = await sendOk<{ url: string }>(stack, admin, preview)
      const { pathname, searchParams } = new URL(url)
      const drafts = [docs(`~/changes/${id}/mcp`), `${reader}${pathname}mcp?token=${searchParams.get('token')}`]
      for (const address of [...drafts, docs('installation/mcp'), `${reader}/nobody/mcp`])
        expect([address, (await postMcp(address, list)).status >= 404]).toEqual([address, true])
      const { isError } = await docsClient.call('getPage', { address: `/~/changes/${id}/installation` })
      expect(isError).toBe(true)
    })

    it('leads to its address from pages, and ends with the setting of the site', async () => {
      const { admin, organizationId, docs: site } = sitesOf()
      const { orgs } = admin.client
      const settings = (await orgs.getSiteCustomizationById(organizationId, site.siteId)).data
      const set = async (mcp: boolean) => {
        const pageActions = { externalAI: false, markdown: true, mcp }
        await orgs.updateSiteCustomizationById(organizationId, site.siteId, { ...settings, pageActions } as never)
        await eventually(async () => {
          const { text } = await ask(docs('installation'))
          const { status } = await postMcp(docs(), list)
          expect([status, text.includes(`/${site.name}/~gitbook/mcp`)]).toEqual([mcp ? 200 : 404, mcp])
        })
      }
      await set(true)
      await set(false)
      expect((await ask(docs(), { headers: { accept: 'text/html' } })).status).toBe(404)
      await set(true)
    })
  })
}

/** A site behind secret links. */
function secretLinks({ sitesOf }: Place): void {
  describe('the MCP server of a site behind secret links', () => {
    const shared = () => `${sitesOf().reader}/${sitesOf().shared.name}`

    it('is open to who has the key, in the header or in the address', async () => {
      const { key } = sitesOf().shared
      const clients = [
        mcpClient(`${shared()}/mcp`, { authorization: `Bearer ${key}` }),
        mcpClient(`${shared()}/${key}/mcp`),
      ]
      for (const client of clients) {
        const { call } = await client
        const { data } = await call('listPages')
        const [, next] = (data as { pages: { address: string }[] }).pages
        expect((await call('getPage', { address: next?.address })).text).toContain('More for friends.')
      }
    })

    it.each([[{}], [{ authorization: 'Bearer nothing' }]])('asks for the key without it: %j', async headers => {
      const answer = await postMcp(`${shared()}/mcp`, list, headers)
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([
        401,
        expect.stringContaining('Bearer realm='),
      ])
      expect(answer.text).not.toContain('friends')
    })
  })
}

/** A site of visitors who log in. */
function logins({ sitesOf }: Place): void {
  describe('the MCP server of a site of visitors who log in', () => {
    const closed = () => `${sitesOf().reader}/${sitesOf().closed.name}/mcp`
    const bearer = async (claims: object) => {
      const { stack, admin, organizationId, closed: site } = sitesOf()
      const path = `/orgs/${organizationId}/sites/${site.siteId}/publishing/auth`
      const { privateKey } = await sendOk<{ privateKey: string }>(stack, admin, { method: 'GET', path })
      return { authorization: `Bearer ${visitorJwt(privateKey, claims)}` }
    }

    it('shows to each visitor what their claims let through', async () => {
      const text = async (claims: object) => {
        const { call } = await mcpClient(closed(), await bearer(claims))
        return (await call('getPage', { address: '/' })).text
      }
      expect(await text({})).toContain('For visitors.')
      expect(await text({})).not.toContain('The beta is open.')
      expect(await text({ beta: true })).toContain('The beta is open.')
    })

    it.each([[{}], [{ authorization: 'Bearer a.b.c' }], [{ authorization: 'Bearer nothing' }]])(
      'asks for a login without one, and takes none from a cookie or the address: %j',
      async headers => {
        const { authorization } = await bearer({})
        const token = authorization.slice('Bearer '.length)
        const cookie = `recto-visitor=${token}`
        const answer = await postMcp(`${closed()}?jwt_token=${token}`, list, { ...headers, cookie })
        expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, expect.stringContaining('JWT')])
      },
    )
  })
}
