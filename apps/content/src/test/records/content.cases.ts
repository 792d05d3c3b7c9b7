import { expect } from '@jest/globals'
import { insert } from '../an-editor.ts'
import { anId, recordCase, type RecordTools } from './record-case.ts'

const heading = (page: string, title: string) => ({
  operation: 'update_page' as const,
  page,
  document: { markdown: `# ${title}\n` },
})

/** A change request that changes a page of a space. */
async function aProposal({ aTree, propose, edit, get }: RecordTools) {
  const tree = await aTree()
  const proposed = await propose(tree.spaceId)
  await edit(proposed, heading(tree.a, 'Proposed'))
  const { id: changeRequest, revision } = await get(proposed)
  const params = { spaceId: tree.spaceId, changeRequestId: changeRequest }
  return { ...tree, params, revision, subject: { space: tree.spaceId, changeRequest } }
}

/** Main content that is another revision with the content that it had. */
async function restoreMain({ admin, change, revisionOf }: RecordTools, spaceId: string) {
  const revisionId = await revisionOf(spaceId)
  await change(spaceId, insert('Later'))
  await admin.restoreRevision({ params: { spaceId, revisionId } })
}

/** The operations of content, change requests and reviews. */
export const contentCases = [
  recordCase('updateContent', 'pages', async ({ admin, aTree, revisionOf }) => {
    const { spaceId, a } = await aTree()
    const before = await revisionOf(spaceId)
    const update = () =>
      admin.updateContent({
        params: { spaceId },
        body: { changes: [{ operation: 'update_page', page: a, title: 'A secret title' }] },
      })
    return {
      act: update,
      changes: async () => [
        ['space.content.updated', { space: spaceId }, { revision: { before, after: await revisionOf(spaceId) } }],
      ],
    }
  }),
  recordCase('restoreRevision', 'an earlier revision', async ({ admin, aTree, change, revisionOf }) => {
    const { spaceId } = await aTree()
    const revisionId = await revisionOf(spaceId)
    await change(spaceId, insert('Later'))
    const before = await revisionOf(spaceId)
    const restore = () => admin.restoreRevision({ params: { spaceId, revisionId } })
    return {
      act: restore,
      changes: ({ id: after }) => [['space.content.updated', { space: spaceId }, { revision: { before, after } }]],
      unchanged: restore,
    }
  }),
  recordCase('applyTemplateToSpace', 'main content', async ({ admin, space, revisionOf }) => {
    const spaceId = await space()
    await admin.updateSpaceById({ params: { spaceId }, body: { editMode: 'live' } })
    const before = await revisionOf(spaceId)
    return {
      act: () => admin.applyTemplateToSpace({ params: { spaceId }, body: { id: 'guide' } }),
      changes: async () => [
        ['space.content.updated', { space: spaceId }, { revision: { before, after: await revisionOf(spaceId) } }],
      ],
    }
  }),
  recordCase('applyTemplateToSpace', 'a change request', async tools => {
    const { params, subject, revision: before } = await aProposal(tools)
    const body = { id: 'guide', changeRequestId: params.changeRequestId }
    return {
      act: () => tools.admin.applyTemplateToSpace({ params: { spaceId: params.spaceId }, body }),
      changes: async () => [
        [
          'change-request.content.updated',
          subject,
          { revision: { before, after: (await tools.admin.getChangeRequestById({ params })).revision } },
        ],
      ],
    }
  }),
  recordCase('createChangeRequest', 'with pages of a template', async ({ admin, aSpace, revisionOf }) => {
    const spaceId = await aSpace()
    const before = await revisionOf(spaceId)
    return {
      act: () => admin.createChangeRequest({ params: { spaceId }, body: { template: { id: 'guide', params: {} } } }),
      changes: ({ id: changeRequest, revision: after }) => [
        ['change-request.created', { space: spaceId, changeRequest }],
        ['change-request.content.updated', { space: spaceId, changeRequest }, { revision: { before, after } }],
      ],
    }
  }),
  recordCase('updateChangeRequestById', 'the subject and the status', async tools => {
    const { params, subject } = await aProposal(tools)
    const body = { subject: 'A secret subject', status: 'open' as const }
    const update = () => tools.admin.updateChangeRequestById({ params, body })
    return {
      act: update,
      changes: [
        ['change-request.updated', subject, { details: { fields: ['subject'] } }],
        ['change-request.status.updated', subject, { details: { from: 'draft', to: 'open' } }],
      ],
      unchanged: update,
    }
  }),
  recordCase('updateContentInChangeRequest', 'pages', async tools => {
    const { params, subject, revision: before, d } = await aProposal(tools)
    const body = { changes: [heading(d, 'D, too')] }
    return {
      act: () => tools.admin.updateContentInChangeRequest({ params, query: { compat: 'false' }, body }),
      changes: async () => {
        const { revision: after } = await tools.admin.getChangeRequestById({ params })
        return [['change-request.content.updated', subject, { revision: { before, after } }]]
      },
    }
  }),
  recordCase('mergeChangeRequest', 'a change request', async tools => {
    const { params, subject } = await aProposal(tools)
    const before = await tools.revisionOf(params.spaceId)
    return {
      act: () => tools.admin.mergeChangeRequest({ params }),
      changes: ({ revision: after }) => [
        ['space.content.updated', { space: params.spaceId }, { revision: { before, after } }],
        ['change-request.merged', subject, { revision: { before, after } }],
      ],
      unchanged: () => expect(tools.admin.mergeChangeRequest({ params })).rejects.toMatchObject({ code: 'conflict' }),
    }
  }),
  recordCase('mergeChangeRequest', 'a change request with conflicts', async tools => {
    const { params, a } = await aProposal(tools)
    await tools.change(params.spaceId, heading(a, 'Main'))
    return { act: () => tools.admin.mergeChangeRequest({ params }), changes: [] }
  }),
  recordCase('updateChangeRequest', 'changes of main content', async tools => {
    const { params, subject, revision: before } = await aProposal(tools)
    await tools.change(params.spaceId, insert('Main'))
    const update = () => tools.admin.updateChangeRequest({ params })
    return {
      act: update,
      changes: ({ revision: after }) => [['change-request.content.updated', subject, { revision: { before, after } }]],
      unchanged: update,
    }
  }),
  recordCase('updateChangeRequest', 'main content with the same content', async tools => {
    const { params, subject } = await aProposal(tools)
    await restoreMain(tools, params.spaceId)
    const update = () => tools.admin.updateChangeRequest({ params })
    return {
      act: update,
      changes: [['change-request.updated', subject, { details: { fields: ['revisionMergedAncestor'] } }]],
      unchanged: update,
    }
  }),
  recordCase('resolveChangeRequestConflicts', 'a conflict', async tools => {
    const { params, subject, revision: before, a } = await aProposal(tools)
    await tools.change(params.spaceId, heading(a, 'Main'))
    const body = { resolutions: [{ page: a, take: 'main' as const }] }
    return {
      act: () => tools.admin.resolveChangeRequestConflicts({ params, body }),
      changes: ({ revision: after }) => [['change-request.content.updated', subject, { revision: { before, after } }]],
    }
  }),
  recordCase('resolveChangeRequestConflicts', 'no conflict, and the same content', async tools => {
    const { params, subject } = await aProposal(tools)
    await restoreMain(tools, params.spaceId)
    const body = { resolutions: [], others: 'main' as const }
    return {
      act: () => tools.admin.resolveChangeRequestConflicts({ params, body }),
      changes: [['change-request.updated', subject, { details: { fields: ['revisionMergedAncestor'] } }]],
    }
  }),
  recordCase('submitChangeRequestReview', 'with a comment', async tools => {
    const { params, subject } = await aProposal(tools)
    const body = { status: 'approved' as const, comment: { markdown: 'A secret text' } }
    return {
      act: () => tools.admin.submitChangeRequestReview({ params, body }),
      changes: ({ id: review }) => [
        ['comment.created', { ...subject, comment: anId }],
        ['change-request.reviewed', { ...subject, review }, { details: { status: 'approved' } }],
      ],
    }
  }),
  recordCase('requestReviewersForChangeRequest', 'of a draft', async tools => {
    const { params, subject } = await aProposal(tools)
    const body = { users: ['ada'], subject: 'A secret subject' }
    const request = () => tools.admin.requestReviewersForChangeRequest({ params, body })
    return {
      act: request,
      changes: [
        ['change-request.updated', subject, { details: { fields: ['subject'] } }],
        ['change-request.status.updated', subject, { details: { from: 'draft', to: 'open' } }],
        ['change-request.reviewers.updated', subject, { details: { added: ['ada'] } }],
      ],
      unchanged: request,
    }
  }),
  recordCase('removeRequestedReviewerFromChangeRequest', 'a request', async tools => {
    const { params, subject } = await aProposal(tools)
    await tools.admin.requestReviewersForChangeRequest({ params, body: { users: ['ada'] } })
    const withdraw = () =>
      tools.admin.removeRequestedReviewerFromChangeRequest({ params: { ...params, userId: 'ada' } })
    return {
      act: withdraw,
      changes: [['change-request.reviewers.updated', subject, { details: { removed: ['ada'] } }]],
      unchanged: withdraw,
    }
  }),
]
