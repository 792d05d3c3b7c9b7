import { aChatEngine, type ChatEngine, eventually } from '@recto/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aContent, aSpace, type ContentSetup, importInto, organization } from '../test/content-setup.ts'

const params = { organizationId: organization }
let engine: ChatEngine
let content: ContentSetup

beforeAll(async () => {
  engine = await aChatEngine()
  content = await aContent({
    ASK_ENGINE_URL: engine.url,
    ASK_ENGINE_MODEL: 'a-model',
    ASK_MAX_QUESTIONS: '5',
    ASK_CONCURRENCY: '2',
    OUTGOING_ALLOW: '',
  })
  content.people.setAI(true)
  const spaceId = await aSpace(content)
  await importInto(content, spaceId, { pages: { gizmo: '# Gizmo\n\nA gizmo.\n' } })
  await eventually(async () => {
    const { items } = await content.as('read').searchSpaceContent({ params: { spaceId }, query: { query: 'gizmo' } })
    expect(items).toHaveLength(1)
  })
})
afterAll(async () => {
  await content.stop()
  await engine.stop()
})

const ask = () => content.as('read').askInOrganization({ params, body: { query: 'gizmo' } })

it('An organization asks so many questions at a time, and so many on a day, however many come at once', async () => {
  let release = (): void => undefined
  engine.hold = new Promise(resolve => (release = resolve))
  let refusals = 0
  const busy = await Promise.allSettled(
    Array.from({ length: 6 }, async (_, at) => {
      const answer = ask()
      // The two that may go on are let go once the others have been refused.
      answer.catch(() => (refusals += 1) === 4 && release())
      return answer.then(() => at)
    }),
  )
  expect(busy.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  const refused = busy.flatMap(result => (result.status === 'rejected' ? [result.reason as object] : []))
  for (const failure of refused) expect(failure).toMatchObject({ code: 'rate_limited', retryAfter: 5 })
  engine.hold = undefined
  for (let count = 0; count < 3; count += 1) await ask()
  const sent = engine.prompts.length
  const failure = await ask().catch((error: Error) => error)
  expect(failure).toMatchObject({ code: 'rate_limited', message: expect.stringContaining('5 questions today') })
  const { retryAfter } = failure as unknown as { retryAfter: number }
  expect(retryAfter).toBeGreaterThan(0)
  expect(retryAfter).toBeLessThanOrEqual(86_400)
  expect([sent, engine.prompts.length]).toEqual([5, 5])
})
