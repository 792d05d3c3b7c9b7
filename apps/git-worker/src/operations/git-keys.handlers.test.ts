import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aWorker } from '../test/a-worker.ts'
import { aGitSetup, type GitSetup } from '../test/git-setup.ts'

let setup: GitSetup
beforeAll(async () => void (setup = await aGitSetup()))
afterAll(() => setup.stop())

const aSpace = () => setup.content.aSpace()
const worker = aWorker(() => setup)

const repository = { url: 'https://git.example/docs.git', ref: 'refs/heads/main' }
const requests = [
  ['importGitRepository', repository],
  ['exportToGitRepository', { ...repository, commitMessage: 'Export' }],
] as const
const operationsOf = async (spaceId: string) =>
  (await setup.as('read').listGitOperations({ params: { spaceId }, query: {} })).items
const send = (
  operation: (typeof requests)[number][0] | 'retryGitOperation',
  params: Record<string, string>,
  body?: object,
) =>
  setup.conditional(operation, {
    params,
    body,
    conditions: { idempotencyKey: `key-of-${params['spaceId']}` },
  })

describe('Idempotency keys', () => {
  it.each(requests)(
    'A request (%s) that is repeated with its Idempotency-Key gets the same reply, and starts nothing again',
    async (operation, body) => {
      const spaceId = await aSpace()
      const first = await send(operation, { spaceId }, body)
      expect(await send(operation, { spaceId }, body)).toEqual(first)
      const [started, ...more] = await operationsOf(spaceId)
      expect(more).toEqual([])
      const location = `http://recto.test/v1/spaces/${spaceId}/git/operations/${started?.id}`
      expect(first).toMatchObject({ status: 204, location })
    },
  )

  it.each(requests)(
    'A request (%s) that is repeated at the same time with its Idempotency-Key starts one operation',
    async (operation, body) => {
      const spaceId = await aSpace()
      const replies = await Promise.all([1, 2, 3].map(() => send(operation, { spaceId }, body)))
      expect(new Set(replies.map(({ location }) => location)).size).toBe(1)
      expect(await operationsOf(spaceId)).toHaveLength(1)
    },
  )

  it.each(requests)(
    'A request (%s) with the Idempotency-Key of another request is a conflict, and starts nothing',
    async (operation, body) => {
      const spaceId = await aSpace()
      await send(operation, { spaceId }, body)
      const other = send(operation, { spaceId }, { ...body, ref: 'refs/heads/other' })
      await expect(other).rejects.toMatchObject({ code: 'conflict' })
      expect(await operationsOf(spaceId)).toHaveLength(1)
    },
  )

  it('A retry that is repeated with its Idempotency-Key retries a failed operation once, even if it failed again', async () => {
    const spaceId = await aSpace()
    await send('importGitRepository', { spaceId }, repository)
    const [{ id: operationId } = { id: '' }] = await operationsOf(spaceId)
    const fail = async () => worker.fail(await worker.work(operationId))
    await fail()
    const first = await send('retryGitOperation', { spaceId, operationId })
    await fail()
    expect(await send('retryGitOperation', { spaceId, operationId })).toEqual(first)
    expect(await operationsOf(spaceId)).toMatchObject([{ state: 'failure' }])
  })
})
