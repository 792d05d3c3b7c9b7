import { expect, it } from '@jest/globals'
import { pathBelow, withFolder } from './report-paths.rules.ts'

it.each([
  ['a folder below', 'docs', 'docs'],
  ['a folder of a folder', './a/../docs/en/', 'docs/en'],
  ['the working folder', '.', ''],
  ['a folder above', '..', ''],
  ['a folder beside', '../other', ''],
  ['a folder whose name begins with dots', '..docs', '..docs'],
  ['an absolute path below', '/work/docs', 'docs'],
  ['an absolute path elsewhere', '/other', ''],
])('The path of %s', (_title, folder, path) => expect(pathBelow('/work', folder)).toBe(path))

it('Only the paths of findings change', () => {
  const finding = { rule: 'link', severity: 'error', message: 'a', fingerprint: 'f' } as const
  const findings = ['a/b.md', ''].map(file => ({ ...finding, file }))
  expect(withFolder(findings, 'docs')).toEqual([
    { ...finding, file: 'docs/a/b.md' },
    { ...finding, file: 'docs' },
  ])
  expect(withFolder(findings, '')).toEqual(findings)
})
