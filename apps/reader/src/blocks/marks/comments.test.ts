import { diffDocuments } from '@recto/markdown'
import { describe, expect, it } from '@jest/globals'
import type { ChangeComment } from '../../api/types.ts'
import { faultsOf } from '../test/html.ts'
import { allTargets, read, rendered } from '../test/render.ts'
import { markDocument } from './mark-document.ts'
import { placeComments } from './place-comments.rules.ts'

const comment = (node: string | undefined, changes: Partial<ChangeComment> = {}): ChangeComment => ({
  object: 'change-comment',
  id: 'c',
  author: 'Ada Lovelace',
  postedAt: '2026-11-26T10:05:00.000Z',
  markdown: 'Why?',
  status: 'open',
  page: { id: 'p', title: 'Page' },
  ...(node !== undefined && { node: { id: node } }),
  outdated: false,
  replies: [],
  replyCount: 0,
  ...changes,
})

const before = 'First one.\n\nGone.\n\n* a\n* b\n\n| A | B |\n| - | - |\n| one | two |\n'
const after = 'First two.\n\n* a\n* b\n\n| A | B |\n| - | - |\n| one | three |\n'

function merged() {
  const old = read(before)
  const current = read(after)
  const { document, ...marked } = markDocument(current, diffDocuments(old, current))
  return { old, current, document, marked }
}

/** A key of a block, or of one in it. */
function keyOf(node: object, path: readonly number[] = []): string {
  const [at, ...rest] = path
  if (at === undefined) return (node as { key?: string }).key ?? ''
  return keyOf((node as { nodes: object[] }).nodes[at] ?? {}, rest)
}

describe('placeComments', () => {
  const { old, current, document, marked } = merged()
  const typeAt = (node: string | undefined, changes: Partial<ChangeComment> = {}) => {
    const { comments, others } = placeComments([comment(node, changes)], { document, marks: marked.marks })
    const [block] = comments.keys()
    expect(comments.size + others.length).toBe(1)
    return (block as { type?: string } | undefined)?.type
  }

  it.each<[string, number[], string]>([
    ['a block that has changed', [0], 'paragraph'],
    ['an item of a list', [1, 1], 'list-unordered'],
    ['a paragraph in an item of a list', [1, 1, 0], 'list-unordered'],
    ['a table', [2], 'table'],
  ])('A comment on %s stands behind the block at the top', (_case, path, type) =>
    expect(typeAt(keyOf(current, path))).toBe(type),
  )

  it('A comment on a block that only the other side has, on one that is outdated, or on the page, stands below', () => {
    const gone = keyOf(old, [1])
    expect(typeAt(gone)).toBeUndefined()
    expect(typeAt('nothing')).toBeUndefined()
    expect(typeAt(undefined)).toBeUndefined()
    expect(typeAt(keyOf(current, [0]), { outdated: true })).toBeUndefined()
  })

  it('A comment is about the block as it is, where the block stands there twice', () => {
    const oldKey = keyOf(current, [0])
    const { comments } = placeComments([comment(oldKey)], { document, marks: marked.marks })
    const [block] = comments.keys()
    expect(marked.marks.get(block as object)?.kind).not.toBe('delete')
  })
})

describe('a body with comments', () => {
  const html = async (...comments: ChangeComment[]) => {
    const { current, document, marked } = merged()
    const placement = placeComments(comments, { document, marks: marked.marks })
    const input = { document, marked: { ...marked, comments: placement.comments }, targets: allTargets(document) }
    const body = await rendered('', input)
    expect(faultsOf(body.html)).toEqual([])
    return { html: body.html, current }
  }
  const key = keyOf(merged().current, [1])

  it('Open comments are unfolded, and resolved ones are folded and say so', async () => {
    const { html: text } = await html(comment(key), comment(key, { status: 'resolved' }))
    expect(text.match(/<details class="comment"[^>]*>/g)).toEqual([
      '<details class="comment" open>',
      '<details class="comment">',
    ])
    expect(text.match(/Resolved/g)).toHaveLength(1)
    expect(text).toMatch(
      /<\/ul>.*<bdi>Ada Lovelace<\/bdi>.*<time datetime="2026-11-26T10:05:00.000Z">[^<]*2026[^<]*UTC/s,
    )
  })

  it('Replies stand in their order, and what is left out is said', async () => {
    const reply = (markdown: string) => ({ id: 'r', author: 'Bob', postedAt: '2026-11-26T11:00:00.000Z', markdown })
    const { html: text } = await html(comment(key, { replies: [reply('One'), reply('Two')], replyCount: 3 }))
    expect(text).toMatch(/One.*Two.*Not all comments are shown here/s)
  })

  it('Names and texts are nothing but text', async () => {
    const hostile = '<img src=x onerror="alert(1)"></details><script>alert(1)</script>{{ x }}'
    const changes = { author: hostile, markdown: hostile, status: 'resolved' as const }
    const replies = [{ id: 'r', author: hostile, postedAt: '2026-11-26T11:00:00.000Z', markdown: hostile }]
    const { html: text } = await html(comment(key, { ...changes, replies, replyCount: 1 }))
    expect(text).not.toMatch(/<(?:img|script)/)
    expect(text.match(/&lt;script>/g)).toHaveLength(4)
  })
})
