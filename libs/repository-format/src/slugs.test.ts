import { describe, expect, it } from '@jest/globals'
import { slugOfFile, slugOfTitle, slugSet } from './slugs.ts'

describe('a slug', () => {
  it.each([
    ['guide/setup.md', '', 'setup'],
    ['guide/README.md', '', 'guide'],
    ['README.md', '', 'readme'],
    ['docs/README.md', 'docs', 'readme'],
    ['docs/a/readme.md', 'docs', 'a'],
    ['update-from-v0.12.md', '', 'update-from-v0.12'],
    ['monitor_agent.md', '', 'monitor_agent'],
    ['In Tail (2).md', '', 'in-tail-2'],
    ['日本 語.md', '', '日本-語'],
    ['(((.md', '', 'page'],
  ])('of the file %s below "%s" is %s', (path, root, slug) => expect(slugOfFile(path, root)).toBe(slug))

  it.each([
    ['This is a Group', 'this-is-a-group'],
    ['Élan & Vital (v3)', 'elan-vital-v3'],
    ['日本', '日本'],
    ['!!!', 'page'],
  ])('of the title %s is %s', (title, slug) => expect(slugOfTitle(title)).toBe(slug))

  it('is unique among siblings', () => {
    const slug = slugSet()
    expect(['a', 'a', 'a-1', 'a', 'b'].map(slug)).toEqual(['a', 'a-1', 'a-1-1', 'a-2', 'b'])
  })
})
