import { toDocument } from '@recto/markdown'
import { describe, expect, it } from '@jest/globals'
import type { PageRecord } from '../revisions/records.ts'
import type { CommentTarget } from './comment.entity.ts'
import { findNode, hasCell, isTargetOutdated, targetNode } from './comment-target.rules.ts'
import { followCell } from './table-cell.rules.ts'

const read = (markdown: string) => toDocument(markdown, { reference: url => ({ kind: 'url', url }) })
const first = 'First words.\n\n## Setup\n\n> Quoted **words**.\n\n| Name |\n| --- |\n| One |\n'
const before = read(first)
const keyOf = (type: string, document = before) => document.nodes.find(node => node.type === type)?.key ?? ''
const { records = {}, definition = {} } = before.nodes.find(({ type }) => type === 'table')?.data as Record<
  string,
  object
>
const tableCell = { record: Object.keys(records)[0] ?? '', definition: Object.keys(definition)[0] ?? '' }

describe('the text of a node', () => {
  it.each([
    ['a paragraph', keyOf('paragraph'), 'First words.'],
    ['a heading by its id', 'setup', 'Setup'],
    ['a block with blocks in it', keyOf('blockquote'), 'Quoted words.'],
  ])('The text of %s is the preview of a comment on it', (_name, id, preview) => {
    const node = findNode(before, id)
    expect(node && targetNode(node, id)).toMatchObject({ id, preview })
  })

  it('The preview of a long node is cut between characters', () => {
    const long = read(`${'😀'.repeat(400)}\n`)
    const node = findNode(long, keyOf('paragraph', long))
    expect(node && Array.from(targetNode(node, 'k').preview)).toHaveLength(300)
  })

  it('A node with an unknown key is not found', () => expect(findNode(before, 'nothing')).toBeUndefined())
})

describe('a cell', () => {
  it.each([
    ['of any table', { tableCell }, true],
    ['of a table by its key', { tableCell, node: keyOf('table') }, true],
    ['of a block that is no table', { tableCell, node: keyOf('paragraph') }, false],
    ['of a missing block', { tableCell, node: 'nothing' }, false],
    ['in a missing row', { tableCell: { ...tableCell, record: 'x' } }, false],
    ['in a missing column', { tableCell: { ...tableCell, definition: 'x' } }, false],
    [
      'named like a property of every object',
      { tableCell: { record: 'constructor', definition: 'constructor' } },
      false,
    ],
  ])('hasCell looks for a cell %s (case %#)', (_name, where, expected) => expect(hasCell(before, where)).toBe(expected))
})

describe('a comment is outdated', () => {
  const page = { id: 'p', title: 'Page', path: 'page', document: 'before' }
  const now = (document?: string) => ({ id: 'p', document }) as PageRecord
  const on = (id: string) => {
    const node = findNode(before, id)
    if (!node) throw new Error(`${id} is not there`)
    return { page, node: targetNode(node, id) }
  }
  const paragraph = on(keyOf('paragraph'))
  const heading = on('setup')
  const cell = { page, tableCell }
  const cellOfTable = { ...on(keyOf('table')), tableCell }

  it.each([
    ['never, without a page', {}, undefined, undefined, false],
    ['when its page is gone', { page }, undefined, undefined, true],
    ['not when its page has another text', { page }, now('after'), undefined, false],
    ['not when nothing has changed', paragraph, now('before'), undefined, false],
    ['not when another block has changed', paragraph, now('after'), `Before.\n\n${first}`, false],
    ['when its block has changed', paragraph, now('after'), first.replace('First', 'Last'), true],
    ['when its block is gone', paragraph, now('after'), '', true],
    ['when its page has no text any more', paragraph, now(), undefined, true],
    ['not when only the format of its block has changed', heading, now('after'), '## **Setup**\n', false],
    ['when the heading has another text', heading, now('after'), '## Setup of all\n', true],
    ['not while its cell is there', cell, now('after'), `More.\n\n${first}`, false],
    ['when its cell has another text', cell, now('after'), first.replace('One', 'Two'), true],
    ['when its cell is gone', cell, now('after'), 'No table.\n', true],
    ['not when its table has another row', cellOfTable, now('after'), `${first}| Two |\n`, false],
    ['when the table of its cell is gone', cellOfTable, now('after'), 'No table.\n', true],
  ])('A comment is outdated %s', (_name, target, record, markdown, expected) => {
    const document = markdown === undefined ? undefined : read(markdown)
    const { node, tableCell: cellIds }: CommentTarget = target
    const cell = document && cellIds && followCell(before, document, { tableCell: cellIds, node: node?.id })
    expect(isTargetOutdated(target, { page: record, document, isCellThere: cell !== undefined })).toBe(expected)
  })
})
