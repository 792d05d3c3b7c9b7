import { describe, expect, it } from '@jest/globals'
import { parseCommit, parseTree } from './objects.ts'

const invalid = expect.objectContaining({ code: 'invalid' })
const bytes = (...numbers: number[]) => Buffer.from(numbers)

describe('objects', () => {
  it('of a tree are parsed, including names that are not UTF-8', () => {
    const entry = (mode: string, name: Buffer) =>
      Buffer.concat([Buffer.from(`${mode} `), name, Buffer.alloc(1), Buffer.alloc(20, 1)])
    const oid = '01'.repeat(20)
    expect(parseTree(Buffer.concat([entry('40000', Buffer.from('dir é')), entry('100644', bytes(0xff))]))).toEqual([
      { mode: '40000', name: 'dir é', oid },
      { mode: '100644', name: undefined, oid },
    ])
    expect(() => parseTree(Buffer.from('100644 a\0short'))).toThrow(invalid)
  })

  it('of a commit are parsed to tree and message', () => {
    const tree = 'a'.repeat(40)
    expect(parseCommit(Buffer.from(`tree ${tree}\nauthor x\n\nSubject\n\nBody\n`))).toEqual({
      tree,
      message: 'Subject\n\nBody',
    })
    expect(() => parseCommit(Buffer.from('author x\n\n'))).toThrow(invalid)
  })
})
