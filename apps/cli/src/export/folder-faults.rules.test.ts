import { truncateSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import { repositoryId } from '@recto/repository-content'
import { aFolder } from '@recto/testing/hostile-folders'
import { openSite } from '../site/folder-site.ts'
import { inThisThread } from '../test/in-this-thread.ts'
import { folderFault } from './folder-faults.rules.ts'

it('A fault names a file or a page, and never the address of the reader', async () => {
  const { path, remove } = aFolder({ 'README.md': '# A\n\n[b](b.bin)\n', 'img/a.png': 'x', 'b.bin': 'x' })
  try {
    truncateSync(`${path}/b.bin`, 100 * 1024 * 1024 + 1)
    const state = (await openSite(path, inThisThread)).state()
    const faultAt = (pathname: string) => folderFault(new URL(pathname, 'http://127.0.0.1:1'), 'answers 404', state)
    const idOf = (file: string) => repositoryId('file', file)
    expect(faultAt(`/~recto/files/${idOf('img/a.png')}/a.png`)).toBe('img/a.png answers 404')
    expect(faultAt(`/~recto/files/${idOf('b.bin')}/b.bin`)).toBe('b.bin has more than 100 MB, the limit of a file')
    expect(faultAt('/guide/set%20up')).toBe('The page /guide/set up answers 404')
    expect(faultAt('/~recto/files/none/b.png')).toBe('The page /~recto/files/none/b.png answers 404')
  } finally {
    remove()
  }
})
