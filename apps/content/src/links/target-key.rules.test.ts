import { describe, expect, it } from '@jest/globals'
import { targetKey } from './target-key.rules.ts'

const nothing = { reference: null, targetKind: null, targetId: null, targetAnchor: null }
const pageOf = (targetAnchor: string | null) => ({
  ...nothing,
  targetKind: 'page' as const,
  targetId: 'p',
  targetAnchor,
})
const url = (to: string) => ({ ...nothing, reference: { kind: 'url' as const, url: to } })
const keyOf = (target: string, resolved: Parameters<typeof targetKey>[1] = nothing, file = 'a/b.md', kind = 'link') =>
  targetKey({ target, kind, file, root: 'docs' }, resolved)

describe('references are places of one target', () => {
  it.each([
    ['to a page, however it is written', keyOf('a.md', pageOf(null)), keyOf('./a.md', pageOf(null))],
    ['to a place in a page', keyOf('a.md#x', pageOf('x')), keyOf('#x', pageOf('x'), 'a.md')],
    [
      'to a page as a link and as a card',
      keyOf('a.md', pageOf(null)),
      keyOf('a.md', pageOf(null), 'c.md', 'content-ref'),
    ],
    ['to a URL', keyOf('', url('https://Example.com')), keyOf('', url('https://example.com/'))],
    ['to a missing file', keyOf('x.md'), keyOf('./x.md')],
    ['to a missing file from another folder', keyOf('x.md'), keyOf('../a/x.md', nothing, 'c/d.md')],
    ['to a missing file from the root', keyOf('/x.md'), keyOf('../docs/x.md')],
    ['to a missing file with escapes', keyOf('x%20y.md'), keyOf('x y.md')],
    ['to a missing file with entities', keyOf('x&amp;y.md'), keyOf('x&y.md')],
    ['to a missing folder', keyOf('x/'), keyOf('x')],
    ['to a missing file with a query', keyOf('x.md?y'), keyOf('x.md')],
    ['to a missing file with an empty anchor', keyOf('x.md#'), keyOf('x.md')],
    ['to what an export did not know', keyOf('broken-reference'), keyOf('broken-reference', nothing, 'c/d.md')],
    ['with the escape of NUL', keyOf('x%00.md'), keyOf('x.md')],
  ])('References are places of one target: %s', (_name, one, other) => expect(one).toBe(other))
})

describe('references are of two targets', () => {
  it.each([
    ['with and without anchor', keyOf('a.md', pageOf(null)), keyOf('a.md#x', pageOf('x'))],
    ['that is part of the page, and not', keyOf('x.md', nothing, 'a.md', 'include'), keyOf('x.md', nothing, 'a.md')],
    ['of missing files in two folders', keyOf('x.md'), keyOf('x.md', nothing, 'c/d.md')],
    ['of missing places in a missing file', keyOf('x.md#a'), keyOf('x.md#b')],
    ['of URLs with other letters in the path', keyOf('', url('https://a.test/A')), keyOf('', url('https://a.test/a'))],
    [
      'of long URLs',
      keyOf('', url(`https://a.test/${'x'.repeat(4_000)}`)),
      keyOf('', url(`https://a.test/${'x'.repeat(4_001)}`)),
    ],
  ])('References are of two targets: %s', (_name, one, other) => expect(one).not.toBe(other))
})

it.each(['x'.repeat(9_000), `https://a.test/${'é'.repeat(4_000)}`, `${'😀'.repeat(150)}x.md`])(
  'The key of %# fits into an index',
  target =>
    expect(Buffer.byteLength(keyOf(target, target.startsWith('http') ? url(target) : nothing))).toBeLessThan(1_300),
)
