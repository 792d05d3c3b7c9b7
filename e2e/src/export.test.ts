import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  anEmptyRepository,
  aServedRepository,
  change,
  changedFiles,
  commits,
  exportTo,
  imported,
  inRepository,
  manual,
  outlineOfSpace,
  pageId,
  stack,
  startExports,
  stopExports,
  summaryDiff,
  summaryOf,
} from './exports.ts'
import { aSpace, importRepository, request } from './walk.ts'

beforeAll(startExports)
afterAll(stopExports)

describe('an export of what was imported', () => {
  it('makes no commit, and one edited page changes that file only', async () => {
    const { repository, url } = await aServedRepository(manual)
    const { spaceId } = await aSpace(stack)
    await importRepository(stack, spaceId, url)
    const unchanged = await exportTo(spaceId, url)
    expect(unchanged).toMatchObject({ state: 'success', commit: repository.commit })
    expect(await commits(repository.path)).toBe('1')
    const page = await pageId(spaceId, 'Setup')
    await change(spaceId, [{ operation: 'update_page', page, document: { markdown: '# Setup\n\nnew\n' } }])
    const done = await exportTo(spaceId, url)
    expect(done).toMatchObject({ state: 'success' })
    expect(await changedFiles(repository.path)).toEqual(['M\tguide/setup.md'])
    await inRepository(repository.path, 'fsck', '--strict')
    const { data: user } = await stack.client.user.getAuthenticatedUser()
    const log = await inRepository(repository.path, 'log', '-1', '--stat', '--format=%an <%ae>|%cn|%B|%P', 'main')
    expect(log.trim().split(/\s*\n\s*/)).toEqual([
      `${user.displayName} <${user.email}>|Recto|Export`,
      `|${repository.commit}`,
      expect.stringMatching(/^guide\/setup\.md \| \d \+*-*$/),
      expect.stringMatching(/^1 file changed, /),
    ])
    const again = await exportTo(spaceId, url)
    expect(again).toMatchObject({ state: 'success', commit: done.commit, revision: done.revision })
    expect(await commits(repository.path)).toBe('2')
    const back = await importRepository(stack, spaceId, url)
    expect(back).toMatchObject({ state: 'success', revision: done.revision })
    const { data: revision } = await stack.client.spaces.getCurrentRevision(spaceId)
    expect(revision).toMatchObject({ id: done.revision, git: { oid: done.commit, createdByGitBook: true } })
  })
})

describe('an export of a change', () => {
  it.each<[string, (spaceId: string) => Promise<object[]>, string[], string[]]>([
    [
      'of a page that is added',
      async spaceId => [
        {
          operation: 'insert_page',
          title: 'More setup',
          into: await pageId(spaceId, 'The guide'),
          document: { markdown: 'x' },
        },
      ],
      ['M\tSUMMARY.md', 'A\tguide/more-setup.md'],
      ['+  * [More setup](guide/more-setup.md)'],
    ],
    [
      'of a page that moves keeps its file',
      async spaceId => [
        { operation: 'update_page', page: await pageId(spaceId, 'Setup'), into: await pageId(spaceId, 'Home') },
      ],
      ['M\tSUMMARY.md'],
      ['-* [Guide](guide/README.md "The guide")', '+* [Guide](guide/README.md "The guide")'],
    ],
    [
      'of a title changes the label of its line, and the heading of its text',
      async spaceId => [
        { operation: 'update_page', page: await pageId(spaceId, 'The guide'), title: 'Our "guide"' },
        { operation: 'update_page', page: await pageId(spaceId, 'Setup'), title: 'Install' },
      ],
      ['M\tSUMMARY.md', 'M\tguide/setup.md'],
      [
        '-* [Guide](guide/README.md "The guide")',
        '-  * [Setup](guide/setup.md)',
        '+* [Guide](guide/README.md "Our \\"guide\\"")',
        '+  * [Install](guide/setup.md)',
      ],
    ],
    [
      'of a page that is deleted',
      async spaceId => [{ operation: 'delete_page', page: await pageId(spaceId, 'Setup') }],
      ['M\tSUMMARY.md', 'D\tguide/setup.md'],
      ['-  * [Setup](guide/setup.md)'],
    ],
    [
      'of files that are replaced and added',
      async spaceId => {
        const [file] = (await stack.client.spaces.listFiles(spaceId)).data.items
        return [
          { operation: 'replace_file', file: file?.id, base64: 'QUJD' },
          { operation: 'insert_files', files: [{ name: 'b c.txt', base64: 'QUJE' }] },
        ]
      },
      ['M\t.gitbook/assets/a.png', 'A\t.gitbook/assets/b c.txt'],
      [],
    ],
    [
      'of a file that is deleted',
      async spaceId => {
        const [file] = (await stack.client.spaces.listFiles(spaceId)).data.items
        return [{ operation: 'delete_file', file: file?.id }]
      },
      ['D\t.gitbook/assets/a.png'],
      [],
    ],
    [
      'of settings changes the lines of the front matter that say them',
      async spaceId => [{ operation: 'update_page', page: await pageId(spaceId, 'Home'), icon: 'gear' }],
      ['M\tREADME.md'],
      [],
    ],
    [
      'of a page whose file the repository has unknown does not replace that',
      async () => [{ operation: 'insert_page', title: 'Unlisted', slug: 'unlisted', document: { markdown: 'other' } }],
      ['M\tSUMMARY.md', 'A\tunlisted-1.md'],
      ['+', '+##', '+', '+* [Unlisted](unlisted-1.md)'],
    ],
  ])('%s', async (_title, changes, files, lines) => {
    const { spaceId, path, url } = await imported()
    await change(spaceId, await changes(spaceId))
    expect(await exportTo(spaceId, url)).toMatchObject({ state: 'success' })
    expect((await changedFiles(path)).sort()).toEqual([...files].sort())
    const diff = await summaryDiff(path)
    if (lines[0]?.startsWith('-* [Guide]')) expect(diff.length).toBeGreaterThan(0)
    else expect(diff.filter(Boolean).sort()).toEqual([...lines].sort())
    if (lines.length > 0) expect((await summaryOf(path)).replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    await inRepository(path, 'fsck', '--strict')
    const before = await stack.client.spaces.getCurrentRevision(spaceId)
    expect(await importRepository(stack, spaceId, url)).toMatchObject({ revision: before.data.id })
    const other = await aSpace(stack)
    await importRepository(stack, other.spaceId, url)
    const [mine, theirs] = await Promise.all([spaceId, other.spaceId].map(outlineOfSpace))
    expect(theirs).toEqual(mine)
  })

  it('of settings keeps all other bytes: comments, order, trailing spaces, line endings and a byte order mark', async () => {
    const windows = '\ufeff---\r\n# first\r\nicon:  gear  # one\r\ntitle: Guide\r\n---\r\n\r\n# Guide  \r\n\r\nend'
    const { spaceId, path, url } = await imported({ ...manual, 'guide/README.md': windows })
    await change(spaceId, [
      { operation: 'update_page', page: await pageId(spaceId, 'The guide'), icon: 'rocket' },
      { operation: 'update_page', page: await pageId(spaceId, 'Home'), description: 'Hello' },
    ])
    await exportTo(spaceId, url)
    expect((await changedFiles(path)).sort()).toEqual(['M\tREADME.md', 'M\tguide/README.md'])
    expect(await inRepository(path, 'show', 'main:guide/README.md')).toBe(windows.replace('gear', 'rocket'))
    const home = manual['README.md'].replace('Hi  #', 'Hello  #')
    expect(await inRepository(path, 'show', 'main:README.md')).toBe(home)
  })

  it('of a variable, a redirect and a tag, by a restored revision, changes their lines only', async () => {
    const vars = '\ufeff# kept\r\nname:   "one"  # why\r\n\r\nother: 2\r\n'
    const yaml = '# kept\r\nroot: ./\r\nredirects:\r\n    "old page":   README.md # why\r\n    more: guide/setup.md\r\n'
    const tags = '# kept\n- tag: beta # why\n  label: one\n- no tag\n'
    const before = { ...manual, '.gitbook/vars.yaml': vars, '.gitbook.yaml': yaml, '.gitbook/tags.yaml': tags }
    const { spaceId, path, url, repository } = await imported(before)
    const { revision } = (await stack.client.spaces.getSpaceById(spaceId)).data
    const after = {
      '.gitbook/tags.yaml': `${tags.replace('one', 'two')}- tag: more\n  icon: star\n`,
      '.gitbook/vars.yaml': vars.replace('one', 'two'),
      '.gitbook.yaml': yaml.replace('README.md', 'guide/setup.md').replace('    more: guide/setup.md\r\n', ''),
    }
    await repository.addCommit(after)
    await importRepository(stack, spaceId, url)
    await request(stack, 'POST', `/spaces/${spaceId}/revisions/${revision}/restore`)
    await exportTo(spaceId, url)
    expect((await changedFiles(path)).sort()).toEqual(
      ['.gitbook.yaml', '.gitbook/tags.yaml', '.gitbook/vars.yaml'].map(name => `M\t${name}`),
    )
    expect(await inRepository(path, 'show', 'main:.gitbook/vars.yaml')).toBe(vars)
    expect(await inRepository(path, 'show', 'main:.gitbook.yaml')).toBe(yaml)
    expect(await inRepository(path, 'show', 'main:.gitbook/tags.yaml')).toBe(tags)
  })

  it('of a repository without SUMMARY.md adds one only where the folders do not say the tree', async () => {
    const { spaceId, path, url } = await imported({ 'README.md': '# Home\n', 'b.md': '# B\n', 'c.md': '# C\n' })
    await change(spaceId, [
      { operation: 'insert_page', title: 'D', document: { markdown: '# D\n' } },
      { operation: 'update_page', page: await pageId(spaceId, 'B'), title: 'Bee' },
    ])
    await exportTo(spaceId, url)
    expect((await changedFiles(path)).sort()).toEqual(['A\td.md', 'M\tb.md'])
    await change(spaceId, [{ operation: 'update_page', page: await pageId(spaceId, 'D'), into: null, at: 1 }])
    await exportTo(spaceId, url)
    expect(await changedFiles(path)).toEqual(['A\tSUMMARY.md'])
    expect(await summaryOf(path)).toBe(
      '# Table of contents\n\n* [Home](README.md)\n* [D](d.md)\n* [Bee](b.md)\n* [C](c.md)\n',
    )
  })
})

describe('a space that never saw a repository', () => {
  it('is exported to an empty one as a tidy repository, and importing that gives the same content', async () => {
    const repository = await anEmptyRepository()
    const { spaceId } = await aSpace(stack)
    await change(spaceId, [
      { operation: 'insert_page', title: 'Start here', ref: 'start', document: { markdown: '![](ref:pixel)' } },
      { operation: 'insert_page', title: 'Setup', into: 'start', document: { markdown: '# Setup' } },
      { operation: 'insert_page', title: 'Empty', into: 'start' },
      { operation: 'insert_page', title: 'Group', type: 'group', ref: 'group' },
      { operation: 'insert_page', title: 'In it', into: 'group', document: { markdown: 'text' } },
      { operation: 'insert_page', title: 'Site', type: 'link', href: 'https://example.org/' },
      { operation: 'insert_files', files: [{ name: 'pixel.png', ref: 'pixel', base64: 'QUJD' }] },
    ])
    expect(await exportTo(spaceId, repository.url)).toMatchObject({ state: 'success' })
    expect((await inRepository(repository.path, 'ls-tree', '-r', '--name-only', 'main')).trim().split('\n')).toEqual([
      '.gitbook/assets/pixel.png',
      'README.md',
      'SUMMARY.md',
      'group/in-it.md',
      'start-here/empty.md',
      'start-here/setup.md',
    ])
    await inRepository(repository.path, 'fsck', '--strict')
    const other = await aSpace(stack)
    expect(await importRepository(stack, other.spaceId, repository.url)).toMatchObject({
      state: 'success',
      warnings: [{ line: 11 }],
    })
    const [mine, theirs] = await Promise.all([spaceId, other.spaceId].map(outlineOfSpace))
    expect(theirs).toEqual(mine)
    expect(await exportTo(other.spaceId, repository.url)).toMatchObject({ state: 'success' })
    expect(await commits(repository.path)).toBe('1')
    const log = await inRepository(repository.path, 'log', '-1', '--format=%an|%ae|%cn|%s', 'main')
    expect(log.trim()).toMatch(/^.+\|.+@.+\|Recto\|Export$/)
  })

  it('whose first page is linked keeps its file, which .gitbook.yaml names', async () => {
    const repository = await anEmptyRepository()
    const { spaceId } = await aSpace(stack)
    await change(spaceId, [
      { operation: 'insert_page', title: 'Start', ref: 'start', document: { markdown: 'x' } },
      { operation: 'insert_page', title: 'Next', document: { markdown: '[Start](ref:start)' } },
    ])
    await exportTo(spaceId, repository.url)
    expect(await inRepository(repository.path, 'show', 'main:.gitbook.yaml')).toBe('structure:\n  readme: start.md\n')
  })
})
