import { aGitServer, aRepository, type GitServer, type TestRepository } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { testSeed } from './config.ts'
import { repositories } from './fixtures/generated.ts'
import { sharedStack } from './shared-stack.ts'
import type { Installation } from './stack.ts'
import { aSpace, importRepository, validReply } from './walk.ts'

const count = 25
const seed = testSeed

let stack: Installation
let git: GitServer
const made: TestRepository[] = []
const served: Record<string, string> = {}

beforeAll(async () => {
  git = await aGitServer({ repositories: served })
  stack = await sharedStack()
})

afterAll(async () => {
  await git?.stop()
  await Promise.all(made.map(repository => repository.remove()))
})

it(`any repository is imported, and every reply of its content is valid (seed ${seed})`, async () => {
  const { spaceId } = await aSpace(stack)
  for (const [at, files] of fc.sample(repositories, { numRuns: count, seed }).entries()) {
    const repository = await aRepository({ files })
    made.push(repository)
    served[`r${at}`] = repository.path
    const operation = await importRepository(stack, spaceId, git.url(`r${at}`))
    expect({ files, operation }).toMatchObject({ operation: { state: 'success' } })
    await readAll(spaceId)
  }
})

async function readAll(spaceId: string): Promise<void> {
  const { spaces } = stack.client
  validReply('getSpaceById', await spaces.getSpaceById(spaceId))
  validReply('getCurrentRevision', await spaces.getCurrentRevision(spaceId))
  validReply('listFiles', await spaces.listFiles(spaceId))
  const { pages } = validReply('listPages', await spaces.listPages(spaceId)) as { pages: Listed[] }
  for (const id of pages.flatMap(idsOf)) validReply('getPageById', await spaces.getPageById(spaceId, id))
}

interface Listed {
  id: string
  pages?: Listed[]
}

const idsOf = ({ id, pages = [] }: Listed): string[] => [id, ...pages.flatMap(idsOf)]

it('the dark image of a cover is a file of the space, even without a light one', async () => {
  const { spaceId } = await aSpace(stack)
  const repository = await aRepository({
    files: { 'README.md': '---\ncover:\n  dark: dark.png\n---\n# Home\n', 'dark.png': 'image' },
  })
  made.push(repository)
  served['cover'] = repository.path
  await importRepository(stack, spaceId, git.url('cover'))
  const [page] = (await stack.client.spaces.listPages(spaceId)).data.pages
  const [file] = (await stack.client.spaces.listFiles(spaceId)).data.items
  expect(page).toMatchObject({ cover: { yPos: 0, refDark: { kind: 'file', file: file?.id } } })
})
