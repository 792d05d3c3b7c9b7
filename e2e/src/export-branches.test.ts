import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { aGitServer, sharedBundle } from '@recto/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  anEmptyRepository,
  aServedClone,
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
} from './exports.ts'
import { aSpace, importRepository, request, validReply, waitForEnd } from './walk.ts'

beforeAll(startExports)
afterAll(stopExports)

describe('both sides change', () => {
  it('different pages: the export keeps the page that only the branch changed, and its new pages', async () => {
    const { spaceId, path, url, repository } = await imported()
    const summary = manual['SUMMARY.md'].replace('\r\n## More', '* [Remote](remote.md)\r\n\r\n## More')
    await repository.addCommit({ 'README.md': '# Theirs\n', 'remote.md': '# Remote\n', 'SUMMARY.md': summary })
    await change(spaceId, [
      { operation: 'update_page', page: await pageId(spaceId, 'Setup'), document: { markdown: '# Setup\n\nmine\n' } },
      {
        operation: 'insert_page',
        title: 'Mine',
        into: await pageId(spaceId, 'The guide'),
        document: { markdown: 'm' },
      },
    ])
    const exported = await exportTo(spaceId, url)
    expect(await changedFiles(path)).toEqual(['M\tSUMMARY.md', 'A\tguide/mine.md', 'M\tguide/setup.md'])
    expect(await summaryDiff(path)).toEqual(['+  * [Mine](guide/mine.md)'])
    const back = await importRepository(stack, spaceId, url)
    expect(back.revision).not.toBe(exported.revision)
    expect(await pageId(spaceId, 'Remote')).not.toBe('')
    expect(await exportTo(spaceId, url)).toMatchObject({ state: 'success', commit: exported.commit })
  })

  it('the same page: the last synchronisation wins', async () => {
    const { spaceId, path, url, repository } = await imported()
    await repository.addCommit({ 'guide/setup.md': '# Theirs\n' })
    const page = await pageId(spaceId, 'Setup')
    await change(spaceId, [{ operation: 'update_page', page, document: { markdown: '# Mine\n' } }])
    await exportTo(spaceId, url)
    expect(await inRepository(path, 'show', 'main:guide/setup.md')).toBe('# Mine\n')
    expect(await commits(path)).toBe('3')
  })

  it('with force, the branch gets all content', async () => {
    const { spaceId, path, url, repository } = await imported()
    await repository.addCommit({ 'README.md': '# Theirs\n', 'code/main.c': 'void\n' })
    await exportTo(spaceId, url)
    expect(await commits(path)).toBe('2')
    await exportTo(spaceId, url, { force: true })
    expect(await changedFiles(path)).toEqual(['M\tREADME.md'])
  })
})

describe('the branch', () => {
  it('that does not exist starts from the default branch', async () => {
    const { spaceId, path, url, repository } = await imported()
    const page = await pageId(spaceId, 'Setup')
    await change(spaceId, [{ operation: 'update_page', page, document: { markdown: '# Mine\n' } }])
    expect(await exportTo(spaceId, url, { ref: 'refs/heads/docs' })).toMatchObject({ state: 'success' })
    expect((await inRepository(path, 'diff', '--name-only', 'main', 'docs')).trim()).toBe('guide/setup.md')
    expect((await inRepository(path, 'rev-parse', 'docs~1', 'main')).trim().split('\n')).toEqual([
      repository.commit,
      repository.commit,
    ])
  })

  it('that was deleted since is made again, with all of the content', async () => {
    const { spaceId, path, url } = await imported()
    const { 'code/main.c': _code, 'unlisted.md': _unlisted, ...importedFiles } = manual
    await inRepository(path, 'update-ref', '-d', 'refs/heads/main')
    const page = await pageId(spaceId, 'Setup')
    await change(spaceId, [{ operation: 'update_page', page, document: { markdown: '# Mine\n' } }])
    expect(await exportTo(spaceId, url)).toMatchObject({ state: 'success' })
    const files = (await inRepository(path, 'ls-tree', '-r', '--name-only', 'main')).trim().split('\n')
    expect(files).toEqual(Object.keys(importedFiles).sort())
    expect(await inRepository(path, 'show', 'main:guide/README.md')).toBe(manual['guide/README.md'])
    const before = await outlineOfSpace(spaceId)
    await importRepository(stack, spaceId, url)
    expect(await outlineOfSpace(spaceId)).toEqual(before)
  })

  it('of a monorepo takes exports of two folders at the same time, and nothing outside them changes', async () => {
    const files = {
      'README.md': '# All\n',
      'a/README.md': '# A\n',
      'b/.gitbook.yaml': 'root: ./docs\n',
      'b/docs/README.md': '# B\n',
    }
    const { repository, url } = await aServedRepository(files)
    const spaces = await Promise.all(
      ['a', 'b'].map(async repoProjectDirectory => {
        const { spaceId } = await aSpace(stack)
        await importRepository(stack, spaceId, url, { body: { repoProjectDirectory } })
        await change(spaceId, [{ operation: 'insert_page', title: 'New', document: { markdown: '# New\n' } }])
        return { spaceId, repoProjectDirectory }
      }),
    )
    const done = await Promise.all(
      spaces.map(({ spaceId, repoProjectDirectory }) => exportTo(spaceId, url, { repoProjectDirectory })),
    )
    expect(done).toMatchObject([{ state: 'success' }, { state: 'success' }])
    expect(
      (await inRepository(repository.path, 'diff', '--name-status', repository.commit, 'main')).trim().split('\n'),
    ).toEqual(['A\ta/new.md', 'A\tb/docs/new.md'])
    expect(await commits(repository.path)).toBe('3')
  })

  it('that a hook protects ends the export with what the hook says', async () => {
    const { spaceId, path, url } = await imported()
    await writeFile(join(path, 'hooks/pre-receive'), '#!/bin/sh\necho "main is protected" >&2\nexit 1\n', {
      mode: 0o755,
    })
    await change(spaceId, [{ operation: 'insert_page', title: 'New', document: { markdown: 'x' } }])
    const failed = await exportTo(spaceId, url)
    expect(failed).toMatchObject({
      state: 'failure',
      error: { code: 'push_rejected', message: expect.stringContaining('main is protected') },
    })
    expect(await commits(path)).toBe('1')
    await rm(join(path, 'hooks/pre-receive'))
    await request(stack, 'POST', `/spaces/${spaceId}/git/operations/${failed.id}/retry`)
    expect(await waitForEnd(stack, spaceId, failed.id)).toMatchObject({ state: 'success' })
    expect(await commits(path)).toBe('2')
  })

  it('of a server that refuses the credentials stays, and the operation says so without them', async () => {
    const { repository } = await aServedRepository(manual)
    const locked = await aGitServer({
      repositories: { docs: repository.path },
      auth: { username: 'u', password: 'right-secret' },
    })
    const { spaceId } = await aSpace(stack)
    const url = locked.url('docs').replace('//', '//u:wrong-secret@')
    const failed = await exportTo(spaceId, url)
    expect(failed).toMatchObject({ state: 'failure', error: { code: 'authentication_failed' } })
    expect(JSON.stringify(failed)).not.toContain('secret')
    await locked.stop()
  })
})

describe('a user with the published client', () => {
  it('exports a space, and sees its repository', async () => {
    const { spaces } = stack.client
    const repository = await anEmptyRepository()
    const { spaceId } = await aSpace(stack)
    await expect(spaces.getSpaceGitInfo(spaceId)).rejects.toMatchObject({ code: 404 })
    await change(spaceId, [{ operation: 'insert_page', title: 'Start', document: { markdown: '# Start\n' } }])
    const exported = await exportTo(spaceId, repository.url, {
      repoTreeURL: 'https://git.example/docs/tree/main',
      repoCommitURL: 'https://git.example/docs/commit',
      gitInfo: { provider: 'github' },
      timestamp: new Date().toISOString(),
    })
    expect(exported).toMatchObject({ state: 'success' })
    expect(validReply('getSpaceGitInfo', await spaces.getSpaceGitInfo(spaceId))).toMatchObject({
      url: 'https://git.example/docs/tree/main',
      installationProvider: 'github',
      updatedAt: expect.any(String),
    })
    const revision = validReply('getCurrentRevision', await spaces.getCurrentRevision(spaceId))
    const url = `https://git.example/docs/commit/${exported.commit}`
    expect(revision).toMatchObject({ git: { oid: exported.commit, message: 'Export', createdByGitBook: true, url } })
    expect(validReply('getSpaceById', await spaces.getSpaceById(spaceId))).toMatchObject({
      gitSync: { installationProvider: 'github' },
    })
    const deleted = await spaces.deleteLegacyGitInstallation(spaceId)
    expect(deleted.status).toBe(204)
    validReply('deleteLegacyGitInstallation', deleted)
  })
})

const bundle = sharedBundle('fluentd-docs.bundle')
if (!bundle) console.warn('The Fluentd manual is skipped, since ../shared/data/fluentd-docs.bundle is not there')

;(bundle ? it : it.skip)(
  'the Fluentd manual is exported without a commit, and a page that is added changes one line',
  async () => {
    const { path, url } = await aServedClone(bundle ?? '')
    const { spaceId } = await aSpace(stack)
    await importRepository(stack, spaceId, url)
    const before = await commits(path)
    await exportTo(spaceId, url)
    expect(await commits(path)).toBe(before)
    const { data } = await stack.client.spaces.listPages(spaceId)
    const into = data.pages.at(1)?.id
    await change(spaceId, [{ operation: 'insert_page', title: 'New', into, at: 0, document: { markdown: '# New\n' } }])
    await exportTo(spaceId, url)
    expect((await changedFiles(path)).map(line => line.slice(0, 2))).toEqual(['M\t', 'A\t'])
    expect(await summaryDiff(path)).toEqual([expect.stringMatching(/^\+ *\* \[New\]\(.+new\.md\)$/)])
  },
)
