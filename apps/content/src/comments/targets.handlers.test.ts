import { roles } from '@recto/actor'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aCommenter, commentedOn } from '../test/a-commenter.ts'
import type { Change } from '../test/an-editor.ts'
import { aContent, type ContentSetup, importInto, organization } from '../test/content-setup.ts'

let content: ContentSetup
const { aPlace, aSpace, as } = aCommenter(() => content)

beforeAll(async () => {
  content = await aContent()
  for (const role of roles) content.people.add({ organization, user: `user-${role}`, role })
})
afterAll(() => content.stop())

const text = (markdown: string) => ({ body: { markdown } })
const table = '| Name | Size |\n| --- | --- |\n| One | 1 |\n| Two | 2 |\n'
const page = `# A\n\nFirst words.\n\n## Setup\n\nSecond **words**.\n\n${table}`

interface Block {
  key?: string
  type: string
  meta?: { id?: string }
  data?: { records?: object; definition?: object }
}

describe.each(commentedOn)('a comment on a page of %s', kind => {
  const aPage = async () => {
    const place = await aPlace(kind)
    const write = (markdown: string) =>
      place.change({ operation: 'update_page', page: place.a, document: { markdown } } as Change)
    await write(page)
    const { spaceId, changeRequest } = place
    const params = { spaceId, pageId: place.a }
    const readBlocks = async () => {
      const read = changeRequest
        ? as('read').getPageInChangeRequestById({
            params: { ...params, changeRequestId: changeRequest.id },
            query: { format: 'document' },
          })
        : as('read').getPageById({ params, query: { format: 'document' } })
      const { document } = (await read) as { document?: { nodes: Block[] } }
      return document?.nodes ?? []
    }
    return { ...place, write, readBlocks, blocks: await readBlocks(), comment: place.by('comment') }
  }

  it('A comment shows the block that it is about, and is outdated when the block has changed', async () => {
    const { a, blocks, comment, write } = await aPage()
    const paragraph = blocks.find(({ type }) => type === 'paragraph')?.key ?? ''
    const { id, target } = await comment.post({ ...text('?'), page: a, node: paragraph })
    expect(target).toMatchObject({ node: { id: paragraph, preview: 'First words.' }, page: { outdated: false } })
    await write(`# A\n\nBefore.\n\nFirst words.\n`)
    expect((await comment.get(id)).target.page).toMatchObject({ outdated: false })
    await write(`# A\n\nFirst word.\n`)
    expect((await comment.get(id)).target).toMatchObject({
      node: { preview: 'First words.' },
      page: { outdated: true },
    })
  })

  it('A comment can name a heading by its id', async () => {
    const { a, blocks, comment, write } = await aPage()
    const heading = blocks.find(({ type }) => type === 'heading-1' || type === 'heading-2')
    const node = heading?.meta?.id ?? ''
    expect(node).not.toBe('')
    const { id, target } = await comment.post({ ...text('?'), page: a, node })
    expect(target.node).toEqual({ id: node, preview: 'Setup' })
    await write('# A\n\n## Setup of all\n')
    expect((await comment.get(id)).target.page).toMatchObject({ outdated: true })
  })

  it('A comment can be about a cell of a table', async () => {
    const { a, blocks, comment, write } = await aPage()
    const { key = '', data } = blocks.find(({ type }) => type === 'table') as Block
    const [record = ''] = Object.keys(data?.records ?? {})
    const [definition = ''] = Object.keys(data?.definition ?? {})
    const tableCell = { record, definition }
    const posted = await comment.post({ ...text('?'), page: a, node: key, tableCell })
    expect(posted.target).toMatchObject({ tableCell, node: { id: key }, page: { outdated: false } })
    const { id } = await comment.post({ ...text('?'), page: a, tableCell })
    for (const wrong of [
      { record: 'x', definition },
      { record, definition: 'x' },
      { record: '__proto__', definition },
    ])
      await expect(comment.post({ ...text('?'), page: a, tableCell: wrong })).rejects.toMatchObject({
        code: 'not_found',
        details: [{ path: 'body.tableCell' }],
      })
    await write('# A\n\nNo table.\n')
    expect((await comment.get(id)).target.page).toMatchObject({ outdated: true })
  })

  const tableOf = (...rows: string[]) =>
    `| Name | Size | Color |\n| --- | --- | --- |\n${rows.map(row => `| ${row} |\n`).join('')}`
  const rows = ['One | 1 | red', 'Two | 2 | red', 'Three | 3 | red']

  /** Posts two comments on the size of the second row: one with the cell alone, one with its table as the block. */
  const commentOnCell = async () => {
    const { a, comment, write, readBlocks } = await aPage()
    await write(`# A\n\n${tableOf(...rows)}`)
    const tableNow = async () => (await readBlocks()).find(({ type }) => type === 'table') as Block
    const { key = '', data } = await tableNow()
    const tableCell = {
      record: Object.keys(data?.records ?? {})[1] ?? '',
      definition: Object.keys(data?.definition ?? {})[1] ?? '',
    }
    const posted = [{}, { node: key }].map(node => comment.post({ ...text('?'), page: a, ...node, tableCell }))
    const ids = (await Promise.all(posted)).map(({ id }) => id)
    /** Reads of each comment whether it is outdated, and the row and column that it is shown at. */
    const readTargets = async () => {
      const targets = await Promise.all(ids.map(async id => (await comment.get(id)).target))
      const { key: keyNow, data: now } = await tableNow().then(block => block ?? {})
      return targets.map(({ page: shownPage, node, tableCell: cell }) => ({
        outdated: shownPage?.outdated,
        row: Object.keys(now?.records ?? {}).indexOf(cell?.record ?? ''),
        column: Object.keys(now?.definition ?? {}).indexOf(cell?.definition ?? ''),
        isTable: node === undefined || node.id === keyNow,
      }))
    }
    return { write, shown: readTargets }
  }

  it.each([
    ['a row is added above', tableOf('Zero | 0 | red', ...rows), 2],
    ['another cell of its row is edited', tableOf('One | 1 | red', 'Second | 2 | red', 'Three | 3 | red'), 1],
    ['a cell of another row is edited', tableOf('First | 1 | red', ...rows.slice(1)), 1],
    ['its column is renamed', tableOf('Zero | 0 | red', ...rows).replace('Size', 'Bytes'), 2],
    ['a column is added', `| Id | Name | Size |\n| --- | --- | --- |\n| a | One | 1 |\n| b | Two | 2 |\n`, 1, 2],
  ])('A comment about a cell stays on it when %s', async (_what, markdown, row, column = 1) => {
    const { write, shown } = await commentOnCell()
    await write(`# A\n\n${markdown}`)
    const there = { outdated: false, row, column, isTable: true }
    expect(await shown()).toEqual([there, there])
  })

  it.each([
    ['it is edited', tableOf('One | 1 | red', 'Two | 22 | red', 'Three | 3 | red')],
    ['its row is removed', tableOf('One | 1 | red', 'Three | 3 | red')],
    ['its column is removed', '| Name | Color |\n| --- | --- |\n| One | red |\n| Two | red |\n'],
  ])('A comment about a cell is outdated when %s', async (_what, markdown) => {
    const { write, shown } = await commentOnCell()
    await write(`# A\n\n${markdown}`)
    expect((await shown()).map(({ outdated }) => outdated)).toEqual([true, true])
  })

  it('A comment about a cell that was named by its indices follows it, too', async () => {
    const { a, comment, write, readBlocks } = await aPage()
    await write(`# A\n\n${tableOf(...rows)}`)
    const { id } = await comment.post({ ...text('?'), page: a })
    const tableCell = { record: 'row-2', definition: 'column-2' }
    const sql = `update comments set target = target || $2::jsonb where id = $1`
    await content.service.db.query(sql, [id, JSON.stringify({ tableCell, node: { id: 'key', preview: '', hash: '' } })])
    await write(`# A\n\n${tableOf('Zero | 0 | red', ...rows)}`)
    const { target } = await comment.get(id)
    const data = (await readBlocks()).find(({ type }) => type === 'table')?.data
    expect(Object.keys(data?.records ?? {}).indexOf(target.tableCell?.record ?? '')).toBe(2)
    expect(target.page?.outdated).toBe(false)
  })

  it('A comment shows the current page, or the page as it was when it is deleted', async () => {
    const { a, comment, change, write } = await aPage()
    const { id } = await comment.post({ ...text('?'), page: a })
    await write('# A\n\nAll new.\n')
    await change({ operation: 'update_page', page: a, title: 'Renamed' })
    const renamed = { id: a, title: 'Renamed', path: 'renamed', outdated: false }
    expect((await comment.get(id)).target.page).toMatchObject(renamed)
    await change({ operation: 'delete_page', page: a })
    expect((await comment.get(id)).target.page).toMatchObject({ id: a, title: 'A', path: 'a', outdated: true })
    expect(await comment.list({ targetPage: a })).toMatchObject({ count: 1 })
    await expect(comment.post({ ...text('?'), page: a })).rejects.toMatchObject({
      code: 'not_found',
      details: [{ path: 'body.page' }],
    })
  })

  it('A comment on a missing block is refused', async () => {
    const { a, d, blocks, comment } = await aPage()
    const paragraph = blocks.find(({ type }) => type === 'paragraph')?.key ?? ''
    for (const wrong of [
      { page: a, node: 'nothing' },
      { page: d, node: paragraph },
    ])
      await expect(comment.post({ ...text('?'), ...wrong })).rejects.toMatchObject({
        code: 'not_found',
        details: [{ path: 'body.node' }],
      })
  })
})

describe('the text of a comment', () => {
  const paragraph = (...nodes: object[]) => ({
    object: 'block' as const,
    type: 'paragraph' as const,
    nodes: nodes as never,
  })
  const words = (value: string) => ({ object: 'text', leaves: [{ object: 'leaf', text: value, marks: [] }] })
  const link = (ref: object) => ({ object: 'inline', type: 'link', data: { ref }, nodes: [words('here')] })

  it('The text of a comment is stored as it is written, and read in both formats', async () => {
    const { by } = await aPlace('main content')
    const markdown = '---\nno: front matter\n---\n\n*  Well\\\n   **done**\n'
    const { id } = await by('comment').post({ body: { markdown } })
    expect(await by('comment').get(id)).toMatchObject({ body: { markdown } })
    const { body } = await by('comment').get(id, { format: 'document' })
    expect(JSON.stringify(body)).toMatch(/no: front matter.*Well.*done/)
    const document = { object: 'document' as const, nodes: [paragraph(words('Well done'))] }
    const other = await by('comment').post({ body: { document } })
    expect(other.body).toEqual({ markdown: 'Well done\n' })
    expect((await by('comment').get(other.id, { format: 'document' })).body).toEqual({
      document: { ...document, data: { schemaVersion: 8 } },
    })
    const empty = await by('comment').post({ body: {} })
    expect([empty.body, (await by('comment').get(empty.id, { format: 'document' })).body]).toEqual([{}, {}])
  })

  it('The text of a reply is read in both formats', async () => {
    const { by, changeRequest, spaceId } = await aPlace('a change request')
    const { id } = await by('comment').post(text('?'))
    const posted = await as('comment').postCommentReplyInChangeRequest({
      params: { spaceId, changeRequestId: changeRequest?.id ?? '', commentId: id },
      query: { format: 'document' },
      body: text('Yes'),
    })
    expect(posted.body).toMatchObject({ document: { nodes: [{ type: 'paragraph' }] } })
    expect((await by('comment').getReply(id, posted.id)).body).toEqual({ markdown: 'Yes' })
    const { items } = await by('comment').replies(id, { format: 'document' })
    expect(items).toMatchObject([{ body: { document: { object: 'document' } } }])
  })

  it('The text of a comment refers to pages, files and people of the content', async () => {
    const spaceId = await aSpace()
    await importInto(content, spaceId, { pages: { start: '# Start\n' }, files: { 'dot.png': 'a file' } })
    const params = { spaceId }
    const { pages, files } = await as('read').getCurrentRevision({ params, query: {} })
    const pageId = pages[0]?.id ?? ''
    const file = files[0]?.id ?? ''
    const refs = [
      { kind: 'page', page: pageId },
      { kind: 'file', file },
      { kind: 'url', url: 'https://example.org/' },
    ]
    const document = { object: 'document' as const, nodes: refs.map(ref => paragraph(link(ref))) }
    const posted = await as('comment').postCommentInSpace({ params, body: { body: { document } } })
    const markdown = `[here](http://recto.test/s/${spaceId}/~/pages/${pageId})\n\n[here](assets/dot.png)\n\n[here](https://example.org/)\n`
    expect(posted.body).toEqual({ markdown })
    const again = await as('comment').postCommentInSpace({ params, body: { body: { markdown } } })
    const query = { format: 'document' as const }
    const reply = await as('comment').getCommentInSpace({ params: { ...params, commentId: again.id }, query })
    const readRefs = [...JSON.stringify(reply.body).matchAll(/"ref":(\{.*?\})/g)].map(
      ([, ref]) => JSON.parse(ref ?? '') as object,
    )
    expect(readRefs).toEqual(refs)
  })
})
