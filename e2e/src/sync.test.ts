import { aGitServer, eventually } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  anEmptyRepository,
  aServedRepository,
  change,
  changedFiles,
  commits,
  inRepository,
  pageId,
  stack,
  startOwnExports,
  stopExports,
  summaryOf,
} from './exports.ts'
import { aSpecificationText } from './specifications.ts'
import { getSync, inStep, mergePage, operationsOf, pushTo, send, sendPush, setSync, tipOf, titlesOf } from './syncs.ts'
import { aSpace, request } from './walk.ts'

beforeAll(startOwnExports)
afterAll(stopExports)

const files = { 'README.md': '# Home\n', 'SUMMARY.md': '* [Home](README.md)\n* [A](a.md)\n', 'a.md': '# A\n\ntext\n' }
const summary = (...names: string[]) =>
  `* [Home](README.md)\n${names.map(name => `* [${name}](${name.toLowerCase()}.md)\n`).join('')}`
const insert = (title: string) => ({ operation: 'insert_page', title, document: { markdown: `# ${title}\n` } })

/** A space that is synchronised with a repository of its own. */
async function synchronised(settings: object = {}) {
  const { repository, url } = await aServedRepository(files)
  const { spaceId } = await aSpace(stack)
  await setSync(spaceId, url, { initial: 'import', ...settings })
  await inStep(spaceId, repository.path)
  return { spaceId, path: repository.path, url }
}

/** Sends webhooks of the tip, and of commits that are not there, and waits until the branch was looked at. */
async function sendPushes(spaceId: string, path: string, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    const isTip = time % 2 === 0
    const reply = await sendPush(spaceId, isTip ? await tipOf(path) : 'b'.repeat(40))
    expect(reply).toMatchObject({ status: 200, body: { started: !isTip } })
    await eventually(async () => expect(await getSync(spaceId)).not.toHaveProperty('nextPollAt'))
    await inStep(spaceId, path)
  }
}

describe('a space that is synchronised in both directions', () => {
  it('follows merges and pushes, by the webhooks of every provider, and does nothing more', async () => {
    const { spaceId, path } = await synchronised()
    expect(await titlesOf(spaceId)).toEqual(['A', 'Home'])

    await mergePage(spaceId, 'B', 'Explain B')
    await eventually(async () => expect(await commits(path)).toBe('2'))
    expect((await changedFiles(path)).sort()).toEqual(['A\tb.md', 'M\tSUMMARY.md'])
    const log = (await inRepository(path, 'log', '-1', '--format=%an|%cn|%s', 'main')).trim()
    expect(log).toMatch(/^.+\|Recto\|Merge change request #1: Explain B$/)
    await inStep(spaceId, path)

    for (const [at, provider] of (['github', 'gitlab', 'gitea'] as const).entries()) {
      const commit = await pushTo(path, { 'a.md': `# A\n\npushed for ${provider}\n` })
      expect(await sendPush(spaceId, commit, { provider })).toMatchObject({ status: 200, body: { started: true } })
      await inStep(spaceId, path)
      const page = await stack.client.spaces.getPageById(spaceId, await pageId(spaceId, 'A'), { format: 'markdown' })
      expect(page.data).toMatchObject({ markdown: expect.stringContaining(`pushed for ${provider}`) })
      expect(await commits(path)).toBe(String(3 + at))
    }
    await inRepository(path, 'fsck', '--strict')

    const operations = await operationsOf(spaceId)
    const made = await commits(path)
    expect(operations.map(({ direction }) => direction)).toEqual(['import', 'import', 'import', 'export', 'import'])
    await sendPushes(spaceId, path, 10)
    expect(await operationsOf(spaceId)).toEqual(operations)
    expect(await commits(path)).toBe(made)
  })

  it('loses nothing that was changed on different pages of both sides', async () => {
    const { spaceId, path } = await synchronised()
    const commit = await pushTo(path, { 'a.md': '# A\n\npushed\n', 'c.md': '# C\n', 'SUMMARY.md': summary('A', 'C') })
    await change(spaceId, [insert('B')])
    await sendPush(spaceId, commit)
    await inStep(spaceId, path)
    expect(await titlesOf(spaceId)).toEqual(['A', 'B', 'C', 'Home'])
    const a = await stack.client.spaces.getPageById(spaceId, await pageId(spaceId, 'A'), { format: 'markdown' })
    expect(a.data).toMatchObject({ markdown: expect.stringContaining('pushed') })
    expect(await inRepository(path, 'show', 'main:a.md')).toContain('pushed')
    expect((await inRepository(path, 'ls-tree', '--name-only', 'main')).split('\n')).toEqual(
      expect.arrayContaining(['a.md', 'b.md', 'c.md']),
    )
    const operations = await operationsOf(spaceId)
    await sendPushes(spaceId, path, 3)
    expect(await operationsOf(spaceId)).toEqual(operations)
  })

  it('follows edits and pushes that come thick and fast', async () => {
    const { spaceId, path } = await synchronised()
    const names = ['P', 'Q', 'R', 'S', 'T']
    for (const name of names) {
      const file = `${name.toLowerCase()}.md`
      const contents = (before: string) => `${before}* [${name}](${file})\n`
      const [commit] = await Promise.all([
        pushTo(path, { [file]: `# ${name}\n`, 'SUMMARY.md': contents }),
        change(spaceId, [insert(`Edit ${name}`)]),
      ])
      await sendPush(spaceId, commit)
    }
    await inStep(spaceId, path)
    expect(await titlesOf(spaceId)).toEqual([...names, ...names.map(name => `Edit ${name}`), 'A', 'Home'].sort())
    await inRepository(path, 'fsck', '--strict')
  })

  it('follows the branch when its history is replaced', async () => {
    const { spaceId, path } = await synchronised()
    const first = await tipOf(path)
    await mergePage(spaceId, 'B', 'Explain B')
    await eventually(async () => expect(await commits(path)).toBe('2'))
    await inStep(spaceId, path)
    const commit = await pushTo(path, { 'a.md': '# A\n\nreplaced\n' }, { from: first })
    await sendPush(spaceId, commit)
    await inStep(spaceId, path)
    expect(await titlesOf(spaceId)).toEqual(['A', 'Home'])
    expect(await tipOf(path)).toBe(commit)
  })
})

describe('a space with computed pages', () => {
  const declared = (indent: string) =>
    [
      '* ```yaml',
      '  props:',
      '    downloadLink: true # the link above the pages',
      '    models: true',
      '    grouping: by-tag',
      '  type: builtin:openapi',
      '  dependencies:',
      '    spec:',
      '      ref:',
      '        kind: openapi',
      '        spec: toys',
      '  ```',
    ]
      .map(line => `${indent}${line}\r\n`)
      .join('')
  const listed = `# Contents\r\n\r\n* [Home](README.md)\r\n${declared('')}* [A](a.md)\r\n${declared('  ')}`

  it('exports declarations byte for byte, and follows the versions of the specification without commits', async () => {
    const { repository, url } = await aServedRepository({ ...files, 'SUMMARY.md': listed })
    const { path } = repository
    const { organizationId, spaceId } = await aSpace(stack)
    const put = (title: string) =>
      request(stack, 'PUT', `/orgs/${organizationId}/openapi/toys`, { source: { text: aSpecificationText(title) } })
    const shows = (title: string) =>
      eventually(async () => expect(await titlesOf(spaceId)).toEqual(expect.arrayContaining([title, 'toys'])))
    await put('One')
    await setSync(spaceId, url, { initial: 'import' })
    await inStep(spaceId, path)
    await shows('One')
    await put('Two')
    await shows('Two')
    await inStep(spaceId, path)
    expect(await tipOf(path)).toBe(repository.commit)

    await change(spaceId, [insert('B')])
    await eventually(async () => expect(await commits(path)).toBe('2'))
    expect((await changedFiles(path)).sort()).toEqual(['A\tb.md', 'M\tSUMMARY.md'])
    expect(await summaryOf(path)).toBe(`${listed}* [B](b.md)\r\n`)
    await inStep(spaceId, path)
    const operations = await operationsOf(spaceId)
    await sendPushes(spaceId, path, 4)
    expect(await operationsOf(spaceId)).toEqual(operations)

    const moved = `* [Home](README.md)\n* [B](b.md)\n${declared('')}`
    await sendPush(spaceId, await pushTo(path, { 'SUMMARY.md': moved, 'b.md': '# B\n\npushed\n' }))
    await inStep(spaceId, path)
    expect(await titlesOf(spaceId)).toEqual(['B', 'Home', 'Two', 'toys'])
    await put('Three')
    await shows('Three')
    await inStep(spaceId, path)
    expect([await commits(path), await summaryOf(path)]).toEqual(['3', moved])
  })
})

describe('a poll', () => {
  it('finds a push, and nothing where nothing was pushed', async () => {
    const { spaceId, path } = await synchronised({ direction: 'import', pollInterval: 10 })
    const commit = await pushTo(path, { 'a.md': '# A\n\npolled\n' })
    expect(await inStep(spaceId, path)).toMatchObject({ commit })
    const operations = await operationsOf(spaceId)
    expect(operations).toHaveLength(2)
    const { nextPollAt } = await getSync(spaceId)
    await eventually(async () => expect((await getSync(spaceId)).nextPollAt).not.toBe(nextPollAt))
    await inStep(spaceId, path)
    expect(await operationsOf(spaceId)).toEqual(operations)
  })
})

describe('a space that is only exported', () => {
  it('fills an empty repository, and gets a commit for each change', async () => {
    const repository = await anEmptyRepository()
    const { spaceId } = await aSpace(stack)
    await change(spaceId, [insert('Start')])
    await setSync(spaceId, repository.url, { direction: 'export', commitMessageTemplate: 'docs' })
    await inStep(spaceId, repository.path)
    await change(spaceId, [insert('More')])
    await eventually(async () => expect(await commits(repository.path)).toBe('2'))
    await inStep(spaceId, repository.path)
    expect((await inRepository(repository.path, 'log', '--format=%s', 'main')).trim().split('\n')).toEqual([
      'docs',
      'docs',
    ])
    await pushTo(repository.path, { 'theirs.md': '# Theirs\n' })
    expect(await sendPush(spaceId, await tipOf(repository.path))).toMatchObject({ body: { started: false } })
    expect(await titlesOf(spaceId)).toEqual(['More', 'Start'])
  })
})

describe('a space whose content comes first', () => {
  it('replaces what the branch shows, and leaves the files that it does not know', async () => {
    const { repository, url } = await aServedRepository(files)
    const { spaceId } = await aSpace(stack)
    await change(spaceId, [insert('Start'), insert('More')])
    await setSync(spaceId, url, { initial: 'export' })
    await inStep(spaceId, repository.path)
    expect(await titlesOf(spaceId)).toEqual(['More', 'Start'])
    const paths = (await inRepository(repository.path, 'ls-tree', '--name-only', 'main')).trim().split('\n')
    expect(paths).toEqual(expect.arrayContaining(['README.md', 'a.md', 'more.md']))
    expect(await inRepository(repository.path, 'show', 'main:SUMMARY.md')).not.toContain('a.md')
    await sendPushes(spaceId, repository.path, 2)
    expect((await operationsOf(spaceId)).map(({ direction }) => direction)).toEqual(['import', 'export'])
  })
})

describe('credentials', () => {
  it('that expire are shown as the last error, and new ones go on', async () => {
    const { repository } = await aServedRepository(files)
    const auth = { username: 'user', password: 'the-git-secret' }
    const secured = await aGitServer({ repositories: { docs: repository.path }, auth })
    try {
      const { spaceId } = await aSpace(stack)
      await setSync(spaceId, secured.url('docs'), { credentials: { ...auth, password: 'expired' } })
      const failing = await eventually(async () => {
        const sync = await getSync(spaceId)
        expect(sync).toMatchObject({ state: 'failing', lastError: { code: 'authentication_failed' } })
        return sync
      })
      expect(JSON.stringify(failing)).not.toContain('expired')
      await setSync(spaceId, secured.url('docs'), { credentials: auth })
      expect(await inStep(spaceId, repository.path)).toMatchObject({ failures: 0 })
      await mergePage(spaceId, 'B', 'Explain B')
      await eventually(async () => expect(await commits(repository.path)).toBe('2'))
    } finally {
      await secured.stop()
    }
  })
})

describe('a webhook', () => {
  it('is refused without the right signature, alike for every space, and over the limit of webhooks', async () => {
    const { spaceId } = await synchronised()
    const other = await aSpace(stack)
    const refusals = [
      await sendPush(spaceId, 'a'.repeat(40), { by: 'not-the-secret-of-it' }),
      await sendPush(other.spaceId, 'a'.repeat(40)),
      await sendPush('nothing', 'a'.repeat(40)),
      await send(spaceId, '{}', {}),
    ]
    const told = refusals.map(({ status, body }) => [status, (body as { error?: { message: string } }).error?.message])
    expect(told[0]).toEqual([401, expect.stringContaining('signature')])
    expect(told).toEqual(Array(4).fill(told[0]))
    const message = 'x'.repeat(1_100_000)
    const large = await sendPush(spaceId, 'a'.repeat(40), { by: 'not-the-secret-of-it', message })
    expect([large.status, large.body.error?.message]).toEqual(told[0])
    expect((await send(spaceId, 'x'.repeat(27_300_000), {})).status).toBe(413)
  })

  it.each(['github', 'gitlab', 'gitea'] as const)('of a large push by %s is followed', async provider => {
    const { spaceId, path } = await synchronised()
    const commit = await pushTo(path, { 'a.md': `# A\n\nlarge\n` })
    const reply = await sendPush(spaceId, commit, { provider, message: 'x'.repeat(9_000_000) })
    expect(reply).toMatchObject({ status: 200, body: { started: true } })
    await eventually(async () => expect(await getSync(spaceId)).toMatchObject({ commit }))
  })
})
