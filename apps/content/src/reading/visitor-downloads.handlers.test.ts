import { visitorActor } from '@recto/actor/visitor-token'
import { verifyDownload } from '@recto/blobs'
import { busClient } from '@recto/bus'
import { contentApi } from '@recto/contracts-content'
import type { Operation } from '@recto/operation'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, aSpace, type ContentSetup, organization } from '../test/content-setup.ts'

const secret = 'a-secret-for-tests-of-32-characters-or-more'

let content: ContentSetup
let params: Record<string, string>
beforeAll(async () => {
  content = await aContent()
  const spaceId = await aSpace(content, {})
  const changes = [
    {
      operation: 'insert_files',
      files: [{ name: 'dot.txt', ref: 'dot', base64: Buffer.from('.').toString('base64') }],
    },
    { operation: 'insert_page', title: 'Home', document: { markdown: '# Home\n\n[The dot](ref:dot)\n' } },
  ]
  await writer().updateContent({ params: { spaceId }, body: { changes } as never })
  const { revision: revisionId } = await writer().getSpaceById({ params: { spaceId } })
  const changeRequest = await writer().createChangeRequest({ params: { spaceId }, body: {} })
  const { pages, files } = await writer().getRevisionById({ params: { spaceId, revisionId } })
  params = {
    spaceId,
    revisionId,
    changeRequestId: changeRequest.id,
    pagePath: 'home',
    reusableContentId: 'none',
    pageId: pages[0]?.id ?? '',
    fileId: files[0]?.id ?? '',
    documentId: 'none',
  }
})
afterAll(() => content.stop())

const writer = () => content.as('create', { user: 'writer' })

type Seen = Partial<Parameters<typeof visitorActor>[0]>
type Client = Record<string, (input: object) => Promise<unknown>>

function asVisitor(seen: Seen = {}): Client {
  const visitor = { organization, site: 'site', version: 3, spaces: [params['spaceId'] ?? ''], claims: {}, ...seen }
  const bus = { service: 'content', prefix: 'api', actor: visitorActor(visitor) } as const
  return busClient(content.gateway, contentApi, bus) as unknown as Client
}

const rows: [string, Operation][] = Object.entries(contentApi)
const forVisitors = rows.flatMap(([id, { access }]) => (access?.callers?.includes('visitor') ? [id] : []))
const formats = [{}, { format: 'document' }, { format: 'markdown' }]

/** The purposes of all addresses of downloads in the replies of an operation. */
async function issuedBy(client: Client, operation: string): Promise<(string | undefined)[]> {
  const replies = await Promise.allSettled(formats.map(async query => client[operation]?.({ params, query, body: {} })))
  const text = JSON.stringify(replies.map(reply => (reply.status === 'fulfilled' ? reply.value : null)))
  return [...text.matchAll(/\/files\/[\w-]+\/[\w.%-]+/g)].map(([path]) => {
    const download = verifyDownload({ secret: [secret], now: new Date() }, path)
    if (typeof download === 'string') throw new Error(`${operation}: ${download}`)
    return download.issuedFor
  })
}

async function issuedByAll(client: Client): Promise<Map<string, (string | undefined)[]>> {
  const issued = new Map<string, (string | undefined)[]>()
  for (const operation of forVisitors) issued.set(operation, await issuedBy(client, operation))
  return new Map([...issued].filter(([, addresses]) => addresses.length > 0))
}

/** The operations whose replies have addresses of downloads. */
const withFiles = [
  'getRevisionById',
  'listFilesInRevisionById',
  'getFileInRevisionById',
  'getPageInRevisionById',
  'getPageInRevisionByPath',
  'listRevisionDifferences',
]

describe('every address of a download that an operation gives', () => {
  it.each<[string, Seen]>([
    ['a visitor', {}],
    ['a visitor of a change request', { changeRequest: 'c' }],
    ['a visitor of a preview', { previews: true }],
  ])('Every download address for %s is issued for the version of their site', async (_who, seen) => {
    const issued = await issuedByAll(asVisitor(seen))
    expect([...issued.keys()].toSorted()).toEqual(withFiles.toSorted())
    expect(new Set([...issued.values()].flat())).toEqual(new Set(['site site 3']))
  })

  it('Visitors get other download addresses from another version of their site', async () => {
    const read = async (version: number) =>
      JSON.stringify(await asVisitor({ version })['getRevisionById']?.({ params }))
    expect(await read(4)).not.toBe(await read(3))
  })

  it('Download addresses for a member are issued for nothing that could close', async () => {
    const issued = await issuedByAll(writer() as unknown as Client)
    expect([...new Set([...issued.values()].flat())]).toEqual([undefined])
  })
})
