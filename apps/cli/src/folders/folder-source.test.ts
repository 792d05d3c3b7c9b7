import { describe, expect, it } from '@jest/globals'
import { checkPage } from '@recto/markdown'
import { checkRepository } from '@recto/repository-check'
import { ImportFailure, repositoryId } from '@recto/repository-content'
import { aFolder, addFile, hostileFolders, secret } from '@recto/testing/hostile-folders'
import { openSite } from '../site/folder-site.ts'
import { inThisThread } from '../test/in-this-thread.ts'
import { replyTo } from '../site/site-replies.ts'
import { UsageFailure } from '../terminal/command.ts'
import { folderSource } from './folder-source.ts'
import { openFolder } from './open-folder.ts'

/** Everything that a reader is told of a folder, as text. */
async function allReplies(folder: string): Promise<string> {
  const site = await openSite(folder, inThisThread)
  const tools = { site, threads: inThisThread, baseUrl: () => 'http://127.0.0.1:1' }
  const get = async (path: string) =>
    JSON.stringify(await replyTo({ method: 'GET', path, query: new URLSearchParams(), body: {} }, tools))
  const texts: string[] = []
  for (const space of site.state().spaces) {
    const base = `/spaces/${space.id}/revisions/${space.revision}`
    texts.push(await get(base))
    for (const { id } of space.placeOf.values()) texts.push(await get(`${base}/page/${id}/document`))
    for (const { git } of space.repository.manifest.reusableContents)
      texts.push(await get(`${base}/reusable-contents/${repositoryId('reusable-content', git.path)}/document`))
    for (const { git } of space.repository.manifest.files)
      texts.push(Buffer.from(await space.read(git.path)).toString())
  }
  return texts.join('\n')
}

describe('A folder with', () => {
  it.each(hostileFolders)(
    '%s is checked and shown, or refused with a message, and nothing outside of it is read',
    async (...[, prepare]) => {
      const { path, outside, remove } = aFolder()
      try {
        prepare(path, outside)
        const findings = await checkRepository(await folderSource(path), {
          checkPage: async markdown => checkPage(markdown),
        })
        expect(JSON.stringify(findings)).not.toContain(secret)
        const replies = await allReplies(path).catch((error: unknown) => {
          expect(error).toBeInstanceOf(ImportFailure)
          return String(error)
        })
        expect(replies).not.toContain(secret)
      } finally {
        remove()
      }
    },
  )
})

describe('the files of a folder', () => {
  it('Links, odd names and tools are left out, links and names with a warning', async () => {
    const { path, outside, remove } = aFolder({
      'README.md': '# A',
      '.git/config': 'x',
      '.recto/a.md': 'x',
      'node_modules/a.md': 'x',
    })
    try {
      hostileFolders.find(([title]) => title === 'names that no repository has')?.[1](path, outside)
      const { files, skipped } = await folderSource(path)
      expect(files.map(file => file.path)).toEqual(['README.md'])
      expect(skipped.map(({ message }) => message).toSorted()).toEqual([
        'The name holds a control character; the entry is left out',
        'The name is not UTF-8; the entry is left out',
      ])
    } finally {
      remove()
    }
  })

  it('A file that becomes a link is not followed', async () => {
    const { path, outside, remove } = aFolder({ 'README.md': '# A', 'a.md': '# B' })
    try {
      const { read } = await folderSource(path)
      const { rmSync, symlinkSync } = await import('node:fs')
      rmSync(`${path}/a.md`)
      symlinkSync(outside, `${path}/a.md`)
      await expect(read('a.md')).rejects.toThrow('leads out of the folder')
      expect(Buffer.from(await read('README.md')).toString()).toBe('# A')
    } finally {
      remove()
    }
  })

  it('A file in the place of a folder is refused', async () => {
    const { path, remove } = aFolder({ 'a.md': '# A' })
    try {
      await expect(openFolder(`${path}/a.md`)).rejects.toThrow(`${path}/a.md is a file, and no folder`)
    } finally {
      remove()
    }
  })

  it.each([
    ['is not there', undefined, 'There is no folder '],
    ['names a space outside', 'spaces:\n  - path: ../other\n', 'leads out of the folder'],
    ['has a fault', 'spaces: 3\n', 'recto.yaml, line 1'],
    [
      'names a folder that is not there',
      'spaces:\n  - path: .\n  - path: nope\n',
      'recto.yaml, line 3, spaces.1.path: there is no folder nope with files',
    ],
    ['names a file', 'spaces:\n  - path: recto.yaml\n', 'spaces.0.path: there is no folder recto.yaml with files'],
    ['names a slug twice', 'spaces:\n  - path: a\n  - path: b/a\n', 'the same slug'],
  ])('A folder whose site file %s is refused', async (_title, text, message) => {
    const { path, remove } = aFolder()
    try {
      if (text !== undefined) addFile(path, 'recto.yaml', text)
      const opening = openFolder(text === undefined ? `${path}/none` : path)
      await expect(opening).rejects.toThrow(message)
      await expect(opening).rejects.toBeInstanceOf(UsageFailure)
    } finally {
      remove()
    }
  })
})
