import { commentsOnChangeRequest, commentsOnMain, type Comments } from '../a-commenter.ts'
import { recordCase, type RecordCase, type RecordTools } from './record-case.ts'

const text = (markdown: string) => ({ body: { markdown } })

interface Place {
  by: Comments
  subject: { space: string; changeRequest?: string; page: string; comment: string }
  page: string
}

async function onMain({ admin, aTree }: RecordTools): Promise<Place> {
  const { spaceId, a: page } = await aTree()
  const by = commentsOnMain(admin, { spaceId })
  const { id: comment } = await by.post({ ...text('Secret'), page })
  return { by, page, subject: { space: spaceId, page, comment } }
}

async function onChangeRequest({ admin, aTree, propose }: RecordTools): Promise<Place> {
  const { spaceId, a: page } = await aTree()
  const { id: changeRequest } = await propose(spaceId)
  const by = commentsOnChangeRequest(admin, { spaceId, changeRequestId: changeRequest })
  const { id: comment } = await by.post({ ...text('Secret'), page })
  return { by, page, subject: { space: spaceId, changeRequest, page, comment } }
}

/** The operations of comments and replies on one kind of place. */
function casesOn(on: 'Space' | 'ChangeRequest', aPlace: (tools: RecordTools) => Promise<Place>) {
  const aReply = async (tools: RecordTools) => {
    const place = await aPlace(tools)
    const { comment } = place.subject
    const { id: commentReply } = await place.by.reply(comment, text('Secret'))
    return { ...place, comment, reply: commentReply, subject: { ...place.subject, commentReply } }
  }
  return [
    recordCase(`postCommentIn${on}`, 'about a page', async tools => {
      const { by, subject, page } = await aPlace(tools)
      return {
        act: () => by.post({ ...text('Secret'), page }),
        changes: ({ id: comment }) => [['comment.created', { ...subject, comment }]],
      }
    }),
    recordCase(`updateCommentIn${on}`, 'everything of it', async tools => {
      const { by, subject } = await aPlace(tools)
      const update = () => by.update(subject.comment, { ...text('Better'), resolved: true, addedReactions: ['👍'] })
      const details = { fields: ['body', 'status', 'reactions'], status: 'resolved' }
      return { act: update, changes: [['comment.updated', subject, { details }]], unchanged: update }
    }),
    recordCase(`deleteCommentIn${on}`, 'a comment', async tools => {
      const { by, subject } = await aPlace(tools)
      const remove = () => by.remove(subject.comment)
      return { act: remove, changes: [['comment.deleted', subject]], unchanged: remove }
    }),
    recordCase(`postCommentReplyIn${on}`, 'a reply', async tools => {
      const { by, subject } = await aPlace(tools)
      return {
        act: () => by.reply(subject.comment, text('Secret')),
        changes: ({ id: commentReply }) => [['comment-reply.created', { ...subject, commentReply }]],
      }
    }),
    recordCase(`updateCommentReplyIn${on}`, 'everything of it', async tools => {
      const { by, subject, comment, reply } = await aReply(tools)
      const update = () => by.updateReply(comment, reply, { ...text('Better'), addedReactions: ['👍'] })
      const details = { fields: ['body', 'reactions'] }
      return { act: update, changes: [['comment-reply.updated', subject, { details }]], unchanged: update }
    }),
    recordCase(`deleteCommentReplyIn${on}`, 'a reply', async tools => {
      const { by, subject, comment, reply } = await aReply(tools)
      const remove = () => by.removeReply(comment, reply)
      return { act: remove, changes: [['comment-reply.deleted', subject]], unchanged: remove }
    }),
  ]
}

/** The operations of comments and replies. */
export const commentCases: RecordCase[] = [...casesOn('Space', onMain), ...casesOn('ChangeRequest', onChangeRequest)]
