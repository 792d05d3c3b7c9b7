import { describe, expect, it } from '@jest/globals'
import { likelyFiles } from './likely-files.ts'

const pages = (count: number) => Array.from({ length: count }, (_, at) => `docs/page-${at}.md`)
const structure = ['docs/.gitbook.yaml', 'docs/SUMMARY.md', 'docs/.gitbook/vars.yaml']

describe('likelyFiles', () => {
  it.each<[string, string[], string[]]>([
    ['of a manual', [...structure, ...pages(3)], [...structure, ...pages(3)]],
    [
      'without pictures and code',
      ['docs/a.md', 'docs/.gitbook/assets/a.png', 'docs/b.yaml', 'docs/main.c'],
      ['docs/a.md'],
    ],
    ['with reusable contents', ['docs/.gitbook/includes/note.md'], ['docs/.gitbook/includes/note.md']],
    [
      'without the configuration of another project, and too many documents',
      ['docs/.gitbook.yaml', 'docs/a/SUMMARY.md', 'docs/a/.gitbook.yaml', ...pages(2_000)],
      ['docs/.gitbook.yaml'],
    ],
    ['of the most documents', pages(2_000), pages(2_000)],
    ['of the structure alone when there are too many documents', [...structure, ...pages(2_000)], structure],
  ])('An import probably needs the files %s', (_name, paths, expected) => {
    const files = paths.map(path => ({ path }))
    const selectedFiles = likelyFiles(files, 'docs')
    expect(selectedFiles.map(({ path }) => path)).toEqual(expected)
  })
})
