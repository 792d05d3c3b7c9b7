import { eventually } from '@recto/testing'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { mcpClient, type McpClient } from './mcp-client.ts'
import { sendOk } from './people.ts'
import type { ReaderSites } from './reader-sites.ts'

/** Tests how the MCP server of a site tells what changed. */
export function mcpChanges({ sitesOf, docs }: { sitesOf: () => ReaderSites; docs: () => string }): void {
  describe('the changes that the MCP server of a public site lists', () => {
    let docsClient: McpClient
    beforeAll(async () => void (docsClient = await mcpClient(docs())))

    it('says which pages changed since a revision that was read', async () => {
      const { stack, admin, docs: docsSite } = sitesOf()
      const { data } = await docsClient.call('listPages', {})
      const { revision, pages } = data as { revision: string; pages: { title: string; address: string }[] }
      const options = pages.find(({ title }) => title === 'Options')
      expect((await docsClient.call('listChanges', { since: revision })).data).toEqual({
        revision,
        changes: [],
        everyPage: false,
      })
      const space = docsSite.manual
      const { pages: tree } = await sendOk<{ pages: { title: string; pages: { id: string; title: string }[] }[] }>(
        stack,
        admin,
        { method: 'GET', path: `/spaces/${space}/content/pages` },
      )
      const page = tree.flatMap(({ pages: below }) => below).find(({ title }) => title === 'Options')?.id ?? ''
      await sendOk(stack, admin, {
        method: 'POST',
        path: `/spaces/${space}/content`,
        body: { changes: [{ operation: 'update_page', page, description: 'All of them' }] },
      })
      await eventually(async () =>
        expect((await docsClient.call('listChanges', { since: revision })).data).toMatchObject({
          changes: [{ change: 'edited', page, title: 'Options', address: options?.address }],
        }),
      )
      const { isError, text } = await docsClient.call('listChanges', { since: 'nothing' })
      expect([isError, text]).toEqual([true, expect.stringContaining('never at this revision')])
    })
  })
}
