import { describe, expect, it } from 'vitest'
import { tipOf } from './branches.ts'
import { parseCommit, parseTree } from './objects.ts'
import { applyDelta, readEntryHeader } from './pack-entry.ts'
import { decodeIndex, encodeIndex } from './pack-index.ts'
import { flush, packet, readPackets } from './pkt-line.ts'

const invalid = expect.objectContaining({ code: 'invalid' })
const bytes = (...numbers: number[]) => Buffer.from(numbers)

async function* stream(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size))
}

async function packets(text: string, size: number) {
  const found: (string | undefined)[] = []
  for await (const packet of readPackets(stream(text, size))) found.push(packet && Buffer.from(packet).toString())
  return found
}

describe('packets', () => {
  it.each([1, 3, 5, 1_000])('are cut out of chunks of %s bytes', async size =>
    expect(await packets(packet('want é\n') + flush + packet('') + packet('done'), size)).toEqual(['want é\n', undefined, '', 'done']))

  it.each(['zzzz', '0003', '00', '0009ab', '<html>'])('%j is not the git protocol', text => expect(packets(text, 100)).rejects.toEqual(invalid))
})

describe('an entry header', () => {
  it.each([
    ['a small blob', bytes(0x35), { type: 'blob', size: 5, length: 1 }],
    ['a commit over 15 bytes', bytes(0x9f, 0x01), { type: 'commit', size: 31, length: 2 }],
    ['a delta by distance', bytes(0x61, 0x80, 0x00), { type: 'delta', size: 1, length: 3, base: { distance: 128 } }],
    ['a delta by id', Buffer.concat([bytes(0x72), Buffer.alloc(20, 0xab)]), { type: 'delta', size: 2, length: 21, base: { oid: 'ab'.repeat(20) } }],
  ])('of %s is read', (_title, header, expected) => expect(readEntryHeader(header)).toEqual(expected))

  it.each([[bytes()], [bytes(0x00)], [bytes(0x50)], [bytes(0xb0)], [Buffer.alloc(20, 0xff)]])('%j is refused', header =>
    expect(() => readEntryHeader(header)).toThrow(invalid))
})

describe('a delta', () => {
  const base = Buffer.from('hello world')
  it('copies from its base and inserts', () =>
    expect(applyDelta(base, bytes(11, 9, 0x91, 6, 5, 4, 0x21, 0x21, 0x21, 0x21)).toString()).toBe('world!!!!'))

  it('copies 64 KiB where no size is given', () => {
    const large = Buffer.alloc(0x10000, 1)
    expect(applyDelta(large, bytes(0x80, 0x80, 4, 0x80, 0x80, 4, 0x80))).toEqual(large)
  })

  it.each([
    ['for another base', bytes(10, 1, 0x91, 0, 1)],
    ['that copies beyond the base', bytes(11, 5, 0x91, 10, 5)],
    ['that writes too much', bytes(11, 1, 0x91, 0, 5)],
    ['that writes too little', bytes(11, 6, 0x91, 0, 5)],
    ['that inserts beyond its end', bytes(11, 5, 5, 1)],
    ['with a reserved instruction', bytes(11, 1, 0)],
    ['that is cut off', bytes(11, 5, 0x91)],
  ])('%s is refused', (_title, delta) => expect(() => applyDelta(base, delta)).toThrow(invalid))
})

describe('an index', () => {
  const entries = ['ff', '00', '80', '81'].map((head, at) => ({ oid: head.repeat(20), offset: [12, 5_000_000_000, 40, 0x7fffffff][at] ?? 0, crc: at }))
  const index = decodeIndex(encodeIndex(entries, Buffer.alloc(20)), 6_000_000_000)

  it('finds every object, also beyond 2 GiB, and where it ends', () =>
    expect(entries.map(({ oid }) => index.find(oid))).toEqual([
      { offset: 12, end: 40 }, { offset: 5_000_000_000, end: 5_999_999_980 }, { offset: 40, end: 0x7fffffff }, { offset: 0x7fffffff, end: 5_000_000_000 },
    ]))

  it('knows nothing else', () => {
    expect(index.find('01'.repeat(20))).toBeUndefined()
    expect(index.endOf(13)).toBeUndefined()
    expect(() => decodeIndex(Buffer.alloc(2_000), 100)).toThrow(invalid)
  })
})

describe('objects', () => {
  it('of a tree are read, names that are no UTF-8 too', () => {
    const entry = (mode: string, name: Buffer) => Buffer.concat([Buffer.from(`${mode} `), name, Buffer.alloc(1), Buffer.alloc(20, 1)])
    const oid = '01'.repeat(20)
    expect(parseTree(Buffer.concat([entry('40000', Buffer.from('dir é')), entry('100644', bytes(0xff))]))).toEqual([{ mode: '40000', name: 'dir é', oid }, { mode: '100644', name: undefined, oid }])
    expect(() => parseTree(Buffer.from('100644 a\0short'))).toThrow(invalid)
  })

  it('of a commit are its tree and message', () => {
    const tree = 'a'.repeat(40)
    expect(parseCommit(Buffer.from(`tree ${tree}\nauthor x\n\nSubject\n\nBody\n`))).toEqual({ tree, message: 'Subject\n\nBody' })
    expect(() => parseCommit(Buffer.from('author x\n\n'))).toThrow(invalid)
  })
})

describe('the tip of a branch', () => {
  const refs = ['main', 'dev'].map(name => ({ ref: `refs/heads/${name}`, oid: 'a'.repeat(40) }))
  it('is found by its full name', () => expect(tipOf(refs, 'refs/heads/dev')).toBe('a'.repeat(40)))
  it.each([
    [refs, 'no branch "release"; it has "main", "dev"'],
    [[{ ref: 'refs/tags/v1', oid: 'a'.repeat(40) }], 'no branch "release"; it has no branches at all'],
    [Array.from({ length: 12 }, (_, at) => ({ ref: `refs/heads/b${at}`, oid: '' })), '"b9" and 2 more'],
  ])('names those that exist when it is not there', (remote, message) =>
    expect(() => tipOf(remote, 'refs/heads/release')).toThrow(expect.objectContaining({ code: 'branch_not_found', message: expect.stringContaining(message) })))
})
