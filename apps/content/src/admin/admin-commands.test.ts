import { query, transact } from '@recto/database'
import { eventually, failure } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aContent, aSpace, type ContentSetup, importInto } from '../test/content-setup.ts'
import { checkCommand } from './check-command.ts'
import { purgeSpaces, reindexSpaces } from './space-commands.ts'
import type { AdminCommand } from '@recto/service'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const admin = () => content.as('admin')
const sql = (text: string, values: unknown[] = []) => query(content.service.db, text, values)

/** Runs a command; resolves to the lines that it prints, and to the code of its failure. */
async function run(command: AdminCommand, ...args: string[]): Promise<{ lines: string[]; code: string | undefined }> {
  const lines: string[] = []
  const { db } = content.service
  const transaction = <T>(work: Parameters<typeof transact<T>>[2]) => transact(db, () => undefined, work)
  const code = await failure(command(args, { db, transaction, print: line => void lines.push(line) }))
  return { lines, code }
}

const check = (...args: string[]) => run(checkCommand(content.blobs), ...args)
const guide = { pages: { guide: '# Guide\n\nA zebra crosses.\n' }, files: { 'picture.txt': 'a picture' } }

describe('check', () => {
  it('The command check finds no faults in complete content', async () => {
    await importInto(content, await aSpace(content), guide)
    // The import leaves a manifest and documents as garbage.
    await check('--mend')
    expect(await check()).toEqual({ lines: [expect.stringMatching(/^0 .* 0 .* 0 /)], code: undefined })
  })

  it('The command check names each revision that needs a missing blob or document', async () => {
    const space = await aSpace(content)
    const { pages, files } = { pages: { own: '# Only here\n' }, files: { 'own.txt': 'only here' } }
    await importInto(content, space, { pages, files })
    const [revision] = (await sql('select revision from spaces where id = $1', [space])) as { revision: string }[]
    const [file] = (await sql(
      `select (regexp_matches(n.body, '"hash":"([0-9a-f]{64})"'))[1] as hash from revisions r join tree_nodes n on n.hash = r.files_root where r.id = $1`,
      [revision?.revision],
    )) as { hash: string }[]
    const bytes = await content.blobs.bytes(file?.hash ?? '')
    await content.blobs.delete(file?.hash ?? '')
    const { lines, code } = await check('--mend')
    expect(code).toBe('conflict')
    expect(lines).toContain(`missing\tblob\t${file?.hash}\t${space}/${revision?.revision}`)
    await content.blobs.put(bytes)
    expect((await check()).lines.filter(line => line.startsWith('missing'))).toEqual([])
  })

  it('The command check names a missing PDF, and forgets it, since it can be made anew', async () => {
    const { hash } = await content.blobs.put(Buffer.from('a PDF'))
    const spaceId = await aSpace(content)
    await sql(
      `insert into pdfs (key, space_id, hash, leased_until, expires_at) values ($1, $2, $1, now(), now() + interval '1 hour')`,
      [hash, spaceId],
    )
    await content.blobs.delete(hash)
    expect(await check()).toMatchObject({
      lines: expect.arrayContaining([`missing\tblob\t${hash}\tPDF`]),
      code: 'conflict',
    })
    expect((await check('--mend')).lines).toContain(`forgotten\tblob\t${hash}\tPDF`)
    expect(await sql('select key from pdfs where hash = $1', [hash])).toEqual([])
    expect((await check()).code).toBeUndefined()
  })

  it('The command check marks unnamed content as garbage, which a sweep frees', async () => {
    const { hash } = await content.blobs.put(Buffer.from('of nobody'))
    const { lines, code } = await check()
    expect([lines, code]).toEqual([expect.arrayContaining([`unnamed\tblob\t${hash}`]), 'conflict'])
    expect((await check('--mend')).code).toBeUndefined()
    expect(await sql('select kind from garbage where hash = $1', [hash])).toEqual([{ kind: 'blob' }])
  })

  it('The command check corrects counts of spaces, change requests and comments', async () => {
    const spaceId = await aSpace(content)
    const { id } = await admin().createChangeRequest({ params: { spaceId }, body: {} })
    await sql('update spaces set comments = 7, change_requests_open = 3, change_requests = 0 where id = $1', [spaceId])
    await sql('update change_requests set comments = 2 where id = $1', [id])
    const { lines } = await check()
    expect(lines).toEqual(
      expect.arrayContaining([
        `count\tspace\t${spaceId}\tcomments is 7 and should be 0`,
        `count\tspace\t${spaceId}\tchangeRequests is 0 and should be 1`,
        `count\tspace\t${spaceId}\tchangeRequestsOpen is 3 and should be 0`,
        `count\tchange request\t${id}\tis 2 and should be 0`,
      ]),
    )
    await check('--mend')
    expect((await check()).lines.filter(line => line.startsWith('count'))).toEqual([])
    expect(await admin().getSpaceById({ params: { spaceId } })).toMatchObject({ comments: 0, changeRequestsOpen: 0 })
  })
})

describe('reindex', () => {
  const countHits = async (spaceId: string) =>
    (await admin().searchSpaceContent({ params: { spaceId }, query: { query: 'zebra' } })).items.length

  it('The command reindex rebuilds the search of a space', async () => {
    const space = await aSpace(content)
    await importInto(content, space, guide)
    await eventually(async () => expect(await countHits(space)).toBe(1))
    await sql('delete from search_pages where space_id = $1', [space])
    await eventually(async () => expect(await countHits(space)).toBe(0))
    expect(await run(reindexSpaces, space, 'nothing')).toEqual({
      lines: ['nothing\tnot found', '1 spaces are indexed anew by the service.'],
      code: undefined,
    })
    await eventually(async () => expect(await countHits(space)).toBe(1))
  })

  it('The command reindex leaves no rows of deleted pages', async () => {
    const space = await aSpace(content)
    await importInto(content, space, guide)
    await eventually(async () => expect(await countHits(space)).toBe(1))
    const rowsOfGone = async () => {
      const [count] = (await sql(
        `select ((select count(*) from search_pages where space_id = $1 and page_id = 'gone')
           + (select count(*) from content_anchors where space_id = $1 and source_id = 'gone'))::int as rows`,
        [space],
      )) as { rows: number }[]
      return count?.rows
    }
    const columns = 'type, title, path, no_index, title_words, name_tokens, text_tokens'
    await sql(
      `insert into search_pages (space_id, page_id, ${columns}) select space_id, 'gone', ${columns} from search_pages where space_id = $1 limit 1`,
      [space],
    )
    await sql(
      `insert into content_anchors (space_id, source_id, anchors) select space_id, 'gone', anchors from content_anchors where space_id = $1 limit 1`,
      [space],
    )
    expect(await rowsOfGone()).toBe(2)
    await run(reindexSpaces, space)
    await eventually(async () => expect(await rowsOfGone()).toBe(0))
    expect(await countHits(space)).toBe(1)
  })
})

describe('purge', () => {
  it('The command purge purges deleted spaces at once, and no others', async () => {
    const deletedSpace = await aSpace(content)
    const liveSpace = await aSpace(content)
    const other = await aSpace(content)
    for (const spaceId of [deletedSpace, other]) await admin().deleteSpaceById({ params: { spaceId } })
    const { lines } = await run(purgeSpaces, deletedSpace, liveSpace)
    expect(lines).toEqual(['1 of 2 spaces are not deleted, or there are none of these ids.', '1 spaces were purged.'])
    expect(await failure(admin().restoreSpace({ params: { spaceId: deletedSpace } }))).toBe('not_found')
    await admin().restoreSpace({ params: { spaceId: other } })
    expect(await run(purgeSpaces)).toMatchObject({ code: 'invalid_request' })
  })
})
