import { expect, it } from '@jest/globals'
import type { ContentState } from '@recto/repository-export'
import { filesOfRecords, withPulledPaths } from './pulled-paths.rules.ts'

type Page = Partial<ContentState['pages'][number]>

function state(page: Page): ContentState {
  const pages = [{ id: 'p', parent: null, type: 'document' as const, title: 'P', ...page }]
  return { wasInRepository: true, pages, files: [], reusableContents: [], variables: {}, redirects: {} }
}

const text = { hash: 'a' }

it.each<[title: string, base: Page, now: Page, root: string, paths: [Page['path'], Page['path']]]>([
  [
    'has the path of the pull',
    { path: 'a.md', ...text },
    { path: 'a.md', ...text },
    '',
    ['docs/a-1.md', 'docs/a-1.md'],
  ],
  ['has it below the root', { path: 'a.md', ...text }, { path: 'a.md', ...text }, 'docs', ['a-1.md', 'a-1.md']],
  [
    'has another path when the space moved it',
    { path: 'a.md', ...text },
    { path: 'b.md', ...text },
    '',
    ['docs/a-1.md', 'b.md'],
  ],
  [
    'without a file of its own has it',
    { wantedPath: 'a.md', ...text },
    { wantedPath: 'a.md', ...text },
    '',
    ['docs/a-1.md', 'docs/a-1.md'],
  ],
  [
    'that has no text any more has none',
    { wantedPath: 'a.md', ...text },
    { wantedPath: 'a.md' },
    '',
    ['docs/a-1.md', undefined],
  ],
])('A page %s', (_title, base, now, root, paths) => {
  const pulled = withPulledPaths({ base: state(base), now: state(now), root, paths: { p: 'docs/a-1.md' } })
  expect([pulled.base.pages[0]?.path, pulled.now.pages[0]?.path]).toEqual(paths)
})

it('At a first pull a file is that of the first record of its name, below the root', () => {
  const records = [
    { id: 'a', path: 'a.md' },
    { id: 'b', path: 'a.md' },
    { id: 'c', path: 'c.md' },
  ]
  const files = new Set(['docs/a.md', 'c.md'])
  expect([...filesOfRecords(records, { files, root: 'docs' })]).toEqual([['docs/a.md', 'a']])
})
