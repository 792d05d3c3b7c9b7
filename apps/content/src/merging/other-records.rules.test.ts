import { describe, expect, test } from '@jest/globals'
import type { RepositoryConfiguration } from '../revisions/revision.entity.ts'
import type { Resolution } from './conflict.ts'
import { contentOf, file, hashOf, mergeContents, page, reusable } from './test/contents.ts'
import { text } from './test/page-edits.ts'

describe('files, reusable contents, variables and configuration', () => {
  const layout: RepositoryConfiguration = {
    root: '',
    readme: 'README.md',
    summary: 'SUMMARY.md',
    redirects: { old: 'a' },
  }
  const tag = (slug: string, label = slug) => ({ slug, label, color: 'default' as const })
  const tagged = { ...layout, tags: [tag('b'), tag('a')] }
  const parts = {
    files: [file('x', { git: { path: 'x.png', oid: 'oid-x' } }), file('y')],
    reusable: [reusable('r', text, { git: { path: 'r.md', oid: 'oid-r' } })],
    variables: { one: 1, two: 'x', gone: true },
    configuration: layout,
  }
  type Parts = Parameters<typeof contentOf>[0]
  const merge = (main: Parts, changeRequest: Parts, resolutions?: Resolution[]) =>
    mergeContents(
      {
        base: contentOf(parts),
        main: contentOf({ ...parts, ...main }),
        changeRequest: contentOf({ ...parts, ...changeRequest }),
      },
      resolutions,
    )
  const [x, y] = parts.files as [ReturnType<typeof file>, ReturnType<typeof file>]
  const [r] = parts.reusable as [ReturnType<typeof reusable>]

  test('Files, reusable contents, variables and configuration merge by record and by field', () => {
    const { content, conflicts } = merge(
      {
        files: [{ ...x, name: 'renamed.png' }, y, file('m')],
        reusable: [{ ...r, document: hashOf(text.replace('First', '1')), title: 'R' }],
        variables: { one: 2, two: 'x', gone: true },
        configuration: { ...layout, redirects: { old: 'a', more: 'b' } },
      },
      {
        files: [{ ...file('x', { hash: 'other', size: 2 }), file: 'x.png' }],
        reusable: [{ ...r, document: hashOf(text.replace('Third', '3')) }],
        variables: { one: 1, two: 'y' },
        configuration: { ...layout, readme: 'INDEX.md', redirects: {} },
      },
    )
    expect(conflicts).toEqual([])
    expect([...content.files.keys()]).toEqual(['x', 'm'])
    expect(content.files.get('x')).toMatchObject({ name: 'renamed.png', hash: 'other', size: 2, file: 'x.png' })
    const bothTexts = text.replace('First', '1').replace('Third', '3')
    expect(content.reusable.get('r')).toEqual({ id: 'r', title: 'R', document: hashOf(bothTexts), file: 'r.md' })
    expect(content.variables).toEqual({ one: 2, two: 'y' })
    expect(content.configuration).toEqual({ ...layout, readme: 'INDEX.md', redirects: { more: 'b' } })
  })

  test.each([
    ['one side has tags', layout, tagged, tagged.tags],
    ['no side has', layout, layout, undefined],
    ['each side adds one', { ...layout, tags: [tag('m')] }, { ...layout, tags: [tag('c')] }, [tag('m'), tag('c')]],
    ['one side has none any more', { ...layout, tags: [] }, { ...layout, redirects: {} }, []],
  ])('Tags merge by their slugs when %s', (_when, main, changeRequest, tags) => {
    const { content, conflicts } = merge({ configuration: main }, { configuration: changeRequest })
    expect(conflicts).toEqual([])
    expect(content.configuration?.tags).toEqual(tags)
  })

  const conflicts: [name: string, main: Parts, changeRequest: Parts, conflict: object, subject: object][] = [
    [
      'bytes of a file',
      { files: [{ ...x, hash: '1' }, y] },
      { files: [{ ...x, hash: '2' }, y] },
      { kind: 'field', field: 'content' },
      { file: 'x' },
    ],
    [
      'a file deleted and edited',
      { files: [y] },
      { files: [{ ...x, hash: '2' }, y] },
      { kind: 'deleted' },
      { file: 'x' },
    ],
    [
      'two files with one path',
      { files: [x, y, file('m', { file: 'new.png' })] },
      { files: [x, y, file('n', { file: 'New.png' })] },
      { kind: 'path', main: { file: 'm', path: 'new.png' } },
      { file: 'n' },
    ],
    [
      'a file and a page with one path',
      { files: [x, y, file('m', { file: 'q.md' })] },
      { pages: [page('q', { text })] },
      { kind: 'path', main: { file: 'm', path: 'q.md' } },
      { page: 'q' },
    ],
    [
      'lines of a reusable content',
      { reusable: [{ ...r, document: hashOf('1') }] },
      { reusable: [{ ...r, document: hashOf('2') }] },
      { kind: 'text', base: text, main: '1', changeRequest: '2' },
      { reusableContent: 'r' },
    ],
    [
      'a reusable content deleted and edited',
      { reusable: [{ ...r, title: 'R' }] },
      { reusable: [] },
      { kind: 'deleted' },
      { reusableContent: 'r' },
    ],
    [
      'two reusable contents with one title',
      { reusable: [r, reusable('s', '1', { title: 'S' })] },
      { reusable: [r, reusable('t', '2', { title: 'S' })] },
      { kind: 'path' },
      { reusableContent: 't' },
    ],
    [
      'values of a variable',
      { variables: { ...parts.variables, one: 2 } },
      { variables: { ...parts.variables, one: '2' } },
      { kind: 'field', base: 1, main: 2, changeRequest: '2' },
      { variable: 'one' },
    ],
    [
      'a variable deleted and changed',
      { variables: { one: 1, two: 'x' } },
      { variables: { ...parts.variables, gone: false } },
      { kind: 'deleted', base: true, changeRequest: false },
      { variable: 'gone' },
    ],
    [
      'targets of a redirect',
      { configuration: { ...layout, redirects: { old: 'b' } } },
      { configuration: { ...layout, redirects: { old: 'c' } } },
      { kind: 'field', main: 'b', changeRequest: 'c' },
      { configuration: 'redirects.old' },
    ],
    [
      'labels of a tag',
      { configuration: { ...layout, tags: [tag('a', 'A')] } },
      { configuration: { ...layout, tags: [tag('a', 'Ä')] } },
      { kind: 'field', main: tag('a', 'A'), changeRequest: tag('a', 'Ä') },
      { configuration: 'tags.a' },
    ],
    [
      'no repository any more, and another root',
      { configuration: null },
      { configuration: { ...layout, root: 'docs' } },
      { kind: 'field', main: null },
      { configuration: 'all' },
    ],
  ]
  test.each(conflicts)(
    'A conflict of other records than pages: %s',
    (_name, main, changeRequest, conflict, subject) => {
      const actualConflicts = merge(main, changeRequest).conflicts
      expect(actualConflicts).toMatchObject([{ ...conflict, ...subject }])
      const results = (['main', 'change-request'] as const).map(take => {
        const resolved = merge(main, changeRequest, [{ ...subject, take }])
        expect([resolved.conflicts, resolved.refused]).toEqual([[], []])
        return resolved.content
      })
      expect(results[0]).not.toEqual(results[1])
      if (conflict && 'kind' in conflict && conflict.kind !== 'path') {
        expect(results[0]).toEqual(contentOf({ ...parts, ...main }))
        expect(results[1]).toEqual(expect.objectContaining({ ...contentOf({ ...parts, ...main, ...changeRequest }) }))
      }
    },
  )

  test('The file that is not taken gets another path', () => {
    const main = { files: [x, y, file('m', { file: 'new.png' })] }
    const changeRequest = { files: [x, y, file('n', { file: 'New.png' })] }
    const paths = (take: 'main' | 'change-request') => {
      const { files } = merge(main, changeRequest, [{ file: 'n', take }]).content
      return [files.get('m')?.file, files.get('n')?.file]
    }
    expect([paths('main'), paths('change-request')]).toEqual([
      ['new.png', 'New-1.png'],
      ['new-1.png', 'New.png'],
    ])
  })
})
