import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, chmodSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { aFolder, addFile, secret } from '@recto/testing/hostile-folders'
import { blobOid } from './folder-tip.ts'
import { FolderWriter } from './folder-writer.ts'

type Use = (writer: FolderWriter, folder: string, outside: string) => Promise<void>

async function withWriter(files: Record<string, string>, use: Use): Promise<void> {
  const { path, outside, remove } = aFolder(files)
  try {
    const writer = await FolderWriter.open(path)
    await use(writer, path, outside)
    await writer.close()
    expect(readFileSync(outside, 'utf8')).toContain(secret)
  } finally {
    remove()
  }
}

const bytes = Buffer.from('new')

describe('a pull writes', () => {
  it('A file is written with its folders, and one that is there keeps its mode', () =>
    withWriter({ 'a.sh': 'old' }, async (writer, folder) => {
      chmodSync(join(folder, 'a.sh'), 0o755)
      const oid = await writer.write('blob', bytes)
      await writer.place('x/y/b.md', oid, undefined)
      await writer.place('a.sh', oid, blobOid(Buffer.from('old')))
      expect(readFileSync(join(folder, 'x/y/b.md'), 'utf8')).toBe('new')
      expect([readFileSync(join(folder, 'a.sh'), 'utf8'), statSync(join(folder, 'a.sh')).mode & 0o777]).toEqual([
        'new',
        0o755,
      ])
    }))

  it.each([
    '../secret.md',
    '/etc/x',
    'a/../../secret.md',
    '.git/config',
    '.GIT/hooks/x',
    '.recto/state.json',
    '.Recto/a',
    'node_modules/a.js',
    'a//b.md',
    '',
    'a\\b',
    'a/.git/config',
  ])('The path %p is refused', path =>
    withWriter({ 'a/x.md': '' }, async (writer, folder) => {
      const oid = await writer.write('blob', bytes)
      await expect(writer.place(path, oid, undefined)).rejects.toThrow('is no path that a pull writes')
      await expect(writer.delete(path, oid)).rejects.toThrow('is no path that a pull writes')
      expect(existsSync(join(folder, '.git'))).toBe(false)
    }),
  )

  it('No file is written through a symbolic link, or in place of one', () =>
    withWriter({}, async (writer, folder, outside) => {
      symlinkSync(dirname(outside), join(folder, 'above'))
      symlinkSync(outside, join(folder, 'a.md'))
      const oid = await writer.write('blob', bytes)
      await expect(writer.place('above/secret.md', oid, undefined)).rejects.toThrow('is no folder')
      await expect(writer.place('a.md', oid, undefined)).rejects.toThrow('is no file')
      await expect(writer.delete('above/secret.md', oid)).rejects.toThrow('is no folder')
    }))

  it('A file that changes meanwhile is neither replaced nor deleted', () =>
    withWriter({ 'a.md': 'other' }, async (writer, folder) => {
      const oid = await writer.write('blob', bytes)
      await expect(writer.place('a.md', oid, undefined)).rejects.toThrow('was changed meanwhile')
      await expect(writer.delete('a.md', oid)).rejects.toThrow('was changed meanwhile')
      expect(readFileSync(join(folder, 'a.md'), 'utf8')).toBe('other')
    }))

  it('A file is deleted with the folders that are empty without it', () =>
    withWriter({ 'x/y/a.md': 'new', 'x/b.md': '' }, async (writer, folder) => {
      await writer.delete('x/y/a.md', blobOid(bytes))
      expect(readdirSync(join(folder, 'x'))).toEqual(['b.md'])
    }))

  it('The state is in a folder that git leaves out, and nothing else stays there', () =>
    withWriter({}, async (writer, folder) => {
      await writer.write('blob', bytes)
      await writer.writeState('{}')
      await writer.close()
      expect(readdirSync(join(folder, '.recto')).toSorted()).toEqual(['.gitignore', 'state.json'])
      expect(readFileSync(join(folder, '.recto/.gitignore'), 'utf8')).toBe('*\n')
      expect(await writer.readState()).toBe('{}')
    }))

  it('Files are copied below the state before they are replaced, and never through a link', () =>
    withWriter({ 'x/a.md': 'mine' }, async (writer, folder, outside) => {
      const copies = await writer.copyReplaced(['x/a.md'], new Date(0))
      expect(copies).toBe('.recto/replaced/1970-01-01T00-00-00.000Z')
      expect(readFileSync(join(folder, copies, 'x/a.md'), 'utf8')).toBe('mine')
      rmSync(join(folder, '.recto/replaced'), { recursive: true })
      symlinkSync(dirname(outside), join(folder, '.recto/replaced'))
      await expect(writer.copyReplaced(['x/a.md'], new Date(0))).rejects.toThrow('is no folder')
    }))

  it('A state behind a link is refused', async () => {
    const { path, outside, remove } = aFolder()
    try {
      symlinkSync(dirname(outside), join(path, '.recto'))
      await expect(FolderWriter.open(path)).rejects.toThrow('.recto is no folder')
      rmSync(join(path, '.recto'))
      mkdirSync(join(path, '.recto'))
      symlinkSync(outside, join(path, '.recto/state.json'))
      await expect((await FolderWriter.open(path)).readState()).rejects.toThrow('is no state')
      addFile(path, 'a.md', '')
    } finally {
      remove()
    }
  })
})
