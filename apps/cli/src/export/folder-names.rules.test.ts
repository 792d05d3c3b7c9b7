import { expect, it } from '@jest/globals'
import { repositoryId } from '@recto/repository-content'
import { aFolder } from '@recto/testing/hostile-folders'
import { inThisThread, openSite } from '../site/folder-site.ts'
import { sourceOf } from './folder-names.rules.ts'

it('Addresses of a reader are files and pages for an author, and never its own', async () => {
  const { path, remove } = aFolder({ 'README.md': '# A\n\n![a](img/a.png)\n', 'img/a.png': 'x' })
  try {
    const state = (await openSite(path, inThisThread)).state()
    const nameOf = (pathname: string) => sourceOf(new URL(pathname, 'http://127.0.0.1:1'), state)
    expect(nameOf(`/~recto/files/${repositoryId('file', 'img/a.png')}/a.png`)).toBe('img/a.png')
    expect(nameOf('/guide/set%20up')).toBe('The page /guide/set up')
    expect(nameOf('/~recto/files/none/b.png')).toBe('The page /~recto/files/none/b.png')
  } finally {
    remove()
  }
})
