import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aServedRepository, change, inRepository, pageId, stack, startOwnExports, stopExports } from './exports.ts'
import { aGitProxy, type GitProxy } from './git-proxy.ts'
import { aSpace, importRepository, request, waitForEnd, type GitOperation } from './walk.ts'

let proxy: GitProxy | undefined
beforeAll(startOwnExports)
afterAll(async () => {
  await proxy?.stop()
  await stopExports()
})

it('an export whose push was taken, but never answered, deletes a page that was deleted since after a retry', async () => {
  const { repository, url: served } = await aServedRepository({
    'README.md': '# Home\n',
    'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n',
  })
  const { port, pathname } = new URL(served)
  const name = pathname.slice(1, -'.git'.length)
  proxy = await aGitProxy(Number(port))
  const url = proxy.url(name)
  const { spaceId } = await aSpace(stack)
  expect(await importRepository(stack, spaceId, url)).toMatchObject({ state: 'success' })
  await change(spaceId, [{ operation: 'insert_page', title: 'Gone', document: { markdown: 'gone' } }])
  const answer = proxy.hold({ repository: name, request: 'POST /git-receive-pack', when: 'after' })
  await stack.client.spaces.exportToGitRepository(spaceId, { url, ref: 'refs/heads/main', commitMessage: 'Export' })
  const operations = `/spaces/${spaceId}/git/operations`
  const { items } = await request<{ items: GitOperation[] }>(stack, 'GET', `${operations}?limit=1`)
  const id = items[0]?.id ?? ''
  await answer.reached
  await proxy.down()
  answer.release()
  expect(await waitForEnd(stack, spaceId, id)).toMatchObject({ state: 'failure' })
  expect(await inRepository(repository.path, 'ls-tree', '--name-only', 'main')).toContain('gone.md')
  await change(spaceId, [{ operation: 'delete_page', page: await pageId(spaceId, 'Gone') }])
  await proxy.up()
  await request(stack, 'POST', `${operations}/${id}/retry`)
  expect(await waitForEnd(stack, spaceId, id)).toMatchObject({ state: 'success' })
  expect(await inRepository(repository.path, 'ls-tree', '--name-only', 'main')).toBe('README.md\nSUMMARY.md\n')
  expect(await inRepository(repository.path, 'show', 'main:SUMMARY.md')).not.toContain('gone')
  expect((await inRepository(repository.path, 'rev-list', '--count', 'main')).trim()).toBe('3')
})
