import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aProposer } from '../test/a-proposer.ts'
import { insert } from '../test/an-editor.ts'
import { aContent, type ContentSetup } from '../test/content-setup.ts'

let content: ContentSetup
beforeAll(async () => void (content = await aContent()))
afterAll(() => content.stop())

const { as, aSpace, propose, edit, get } = aProposer(() => content)
type Proposed = Awaited<ReturnType<typeof propose>>

const paramsOf = ({ space, id }: Pick<Proposed, 'space' | 'id'>) => ({ spaceId: space, changeRequestId: id })
const merge = (proposed: Proposed) => as('review').mergeChangeRequest({ params: paramsOf(proposed) })

describe('merge rules', () => {
  const setRules = (spaceId: string, ...rules: object[]) =>
    as('create').updateSpaceById({
      params: { spaceId },
      body: { mergeRules: { type: 'rules', rules } as never },
    })

  it('Merge rules are enforced, and the reply says which fail', async () => {
    const spaceId = await aSpace()
    const changeRequest = await propose(spaceId, '')
    await setRules(
      spaceId,
      { rule: 'require_change_request_subject' },
      { rule: 'require_at_least_one_review' },
      { rule: 'custom', expression: 'changeRequest.number == 1' },
    )
    await expect(merge(changeRequest)).rejects.toMatchObject({
      code: 'conflict',
      details: [
        { path: 'mergeRules.rules.0', message: 'require_change_request_subject: needs a subject' },
        { path: 'mergeRules.rules.1' },
      ],
    })
    expect(await get(changeRequest)).toEqual(changeRequest)
    await setRules(spaceId, { rule: 'custom', expression: 'changeRequest.number == 1' })
    expect(await merge(changeRequest)).toMatchObject({ result: 'merge' })
  })

  it('Merge rules count the reviews of those who may still review', async () => {
    const spaceId = await aSpace()
    const changeRequest = await propose(spaceId)
    await setRules(spaceId, { rule: 'require_at_least_one_review' }, { rule: 'require_all_reviews_approved' })
    const body = { status: 'approved' as const }
    const params = paramsOf(changeRequest)
    await content.as('review', { user: 'rob' }).submitChangeRequestReview({ params, body })
    const one = { organization: 'anOrganization', user: 'rob' }
    for (const role of [undefined, 'edit'] as const) {
      if (role) content.people.add({ ...one, role })
      await expect(merge(changeRequest)).rejects.toMatchObject({
        code: 'conflict',
        details: [{ path: 'mergeRules.rules.0' }],
      })
    }
    content.people.remove('rob')
    content.people.add({ ...one, role: 'review' })
    expect(await merge(changeRequest)).toMatchObject({ result: 'merge' })
  })

  type Step = 'approve' | 'refuse' | 'edit' | 'leave'
  it.each<[steps: Step[], passes: boolean]>([
    [[], true],
    [['approve'], true],
    [['approve', 'edit'], true],
    [['refuse'], false],
    [['refuse', 'edit'], false],
    [['refuse', 'edit', 'edit'], false],
    [['refuse', 'approve'], true],
    [['refuse', 'edit', 'approve'], true],
    [['refuse', 'edit', 'approve', 'edit'], true],
    [['approve', 'edit', 'refuse', 'edit'], false],
    [['refuse', 'approve', 'refuse', 'edit'], false],
    [['refuse', 'edit', 'leave'], true],
  ])('The rule that all reviews approve passes over the history %j: %s', async (steps, passes) => {
    const spaceId = await aSpace()
    const changeRequest = await propose(spaceId)
    await setRules(spaceId, { rule: 'require_all_reviews_approved' })
    const params = paramsOf(changeRequest)
    const rob = content.as('review', { user: 'rob' })
    content.people.remove('rob')
    content.people.add({ organization: 'anOrganization', user: 'rob', role: 'review' })
    const run: Record<Step, () => Promise<unknown>> = {
      approve: () => rob.submitChangeRequestReview({ params, body: { status: 'approved' } }),
      refuse: () => rob.submitChangeRequestReview({ params, body: { status: 'changes-requested' } }),
      edit: () => edit(changeRequest, insert('New')),
      leave: async () => content.people.remove('rob'),
    }
    for (const step of steps) await run[step]()
    const failed = { code: 'conflict', details: [{ path: 'mergeRules.rules.0' }] }
    if (passes) expect(await merge(changeRequest)).toMatchObject({ result: 'merge' })
    else await expect(merge(changeRequest)).rejects.toMatchObject(failed)
  })

  it('Merge rules can be bypassed by the users whom they name', async () => {
    const spaceId = await aSpace()
    content.people.add({ organization: 'anOrganization', user: 'user-review' })
    const changeRequest = await propose(spaceId)
    const bypass = { rule: 'allow_bypass', users: ['user-review'] }
    await setRules(spaceId, bypass, { rule: 'require_agent_review' })
    await expect(merge(changeRequest)).rejects.toMatchObject({ code: 'conflict' })
    await setRules(spaceId, { rule: 'require_agent_review' }, bypass)
    expect(await merge(changeRequest)).toMatchObject({ result: 'merge' })
  })

  it('Merge rules of the organization hold for spaces without their own, whoever merges', async () => {
    const changeRequest = await propose(await aSpace())
    content.people.setMergeRules({ rule: 'require_at_least_one_review' })
    try {
      const failed = { code: 'conflict', details: [{ path: 'mergeRules.rules.0' }] }
      await expect(merge(changeRequest)).rejects.toMatchObject(failed)
    } finally {
      content.people.setMergeRules()
    }
    expect(await merge(changeRequest)).toMatchObject({ result: 'merge' })
  })

  it("A merge is refused while nobody can say what the organization's merge rules are", async () => {
    const changeRequest = await propose(await aSpace())
    await content.people.stop()
    try {
      await expect(merge(changeRequest)).rejects.toMatchObject({ code: 'unavailable' })
    } finally {
      await content.people.start()
    }
    expect(await merge(changeRequest)).toMatchObject({ result: 'merge' })
  })
})
