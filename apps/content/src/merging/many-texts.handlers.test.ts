import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { aProposer } from '../test/a-proposer.ts'
import { aContent, type ContentSetup } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { as, aSpace, change, edit, propose } = aProposer(() => content)

/** A text whose every part differs from that of another side. */
function textOf(side: number): string {
  const lines = Array.from({ length: 15_000 }, (_, at) => (at % 200 === 0 ? `part ${at}` : `${(at * at * side) % 7}`))
  return lines.join('\n')
}

it('A merge of many long texts leaves other requests their turn', async () => {
  const spaceId = await aSpace()
  const pages = Array.from({ length: 8 }, (_, at) => `Page ${at}`)
  const { changes } = await change(
    spaceId,
    ...pages.map(title => ({ operation: 'insert_page', title, document: { markdown: textOf(1) } }) as const),
  )
  const edits = (side: number) =>
    changes.map(({ page }) => ({
      operation: 'update_page' as const,
      page: page?.id ?? '',
      document: { markdown: textOf(side) },
    }))
  const changeRequest = await propose(spaceId)
  await edit(changeRequest, ...edits(2))
  await change(spaceId, ...edits(3))
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const started = performance.now()
  delay.enable()
  const params = { spaceId, changeRequestId: changeRequest.id }
  const { count } = await as('read').listChangeRequestConflicts({ params, query: { limit: 1 } })
  delay.disable()
  expect(count).toBe(8)
  expect(delay.max / 1e6).toBeLessThan((performance.now() - started) / 3)
})
