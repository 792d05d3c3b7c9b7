import type { Role } from '@recto/actor'
import { aProposer } from './a-proposer.ts'
import type { ContentSetup } from './content-setup.ts'

type Client = ReturnType<ContentSetup['as']>
type Body<Operation extends (...call: never[]) => unknown> = Parameters<Operation>[0] extends { body: infer B }
  ? B
  : never
type Query<Operation extends (...call: never[]) => unknown> = Parameters<Operation>[0] extends { query?: infer Q }
  ? NonNullable<Q>
  : never

type NewComment = Body<Client['postCommentInSpace']>
type Update = Body<Client['updateCommentInSpace']>
type NewReply = Body<Client['postCommentReplyInSpace']>
type ReplyUpdate = Body<Client['updateCommentReplyInSpace']>
type Filter = Query<Client['listCommentsInSpace']>
type Read = Query<Client['getCommentInSpace']>
type Page = Query<Client['listCommentersInSpace']>

/** The calls of a caller about the comments on main content. */
export function commentsOnMain(client: Client, params: { spaceId: string }) {
  const one = (commentId: string) => ({ ...params, commentId })
  const both = (commentId: string, commentReplyId: string) => ({ ...one(commentId), commentReplyId })
  return {
    list: (query: Filter = {}) => client.listCommentsInSpace({ params, query }),
    post: (body: NewComment) => client.postCommentInSpace({ params, body }),
    get: (id: string, query: Read = {}) => client.getCommentInSpace({ params: one(id), query }),
    update: (id: string, body: Update) => client.updateCommentInSpace({ params: one(id), body }),
    remove: (id: string) => client.deleteCommentInSpace({ params: one(id) }),
    replies: (id: string, query: Page & Read = {}) => client.listCommentRepliesInSpace({ params: one(id), query }),
    reply: (id: string, body: NewReply) => client.postCommentReplyInSpace({ params: one(id), body }),
    getReply: (id: string, reply: string, query: Read = {}) =>
      client.getCommentReplyInSpace({ params: both(id, reply), query }),
    updateReply: (id: string, reply: string, body: ReplyUpdate) =>
      client.updateCommentReplyInSpace({ params: both(id, reply), body }),
    removeReply: (id: string, reply: string) => client.deleteCommentReplyInSpace({ params: both(id, reply) }),
    commenters: (query: Page = {}) => client.listCommentersInSpace({ params, query }),
  }
}

/** The same on a change request. */
export function commentsOnChangeRequest(
  client: Client,
  params: { spaceId: string; changeRequestId: string },
): Comments {
  const one = (commentId: string) => ({ ...params, commentId })
  const both = (commentId: string, commentReplyId: string) => ({ ...one(commentId), commentReplyId })
  return {
    list: (query = {}) => client.listCommentsInChangeRequest({ params, query }),
    post: body => client.postCommentInChangeRequest({ params, body }),
    get: (id, query = {}) => client.getCommentInChangeRequest({ params: one(id), query }),
    update: (id, body) => client.updateCommentInChangeRequest({ params: one(id), body }),
    remove: id => client.deleteCommentInChangeRequest({ params: one(id) }),
    replies: (id, query = {}) => client.listCommentRepliesInChangeRequest({ params: one(id), query }),
    reply: (id, body) => client.postCommentReplyInChangeRequest({ params: one(id), query: {}, body }),
    getReply: (id, reply, query = {}) => client.getCommentReplyInChangeRequest({ params: both(id, reply), query }),
    updateReply: (id, reply, body) => client.updateCommentReplyInChangeRequest({ params: both(id, reply), body }),
    removeReply: (id, reply) => client.deleteCommentReplyInChangeRequest({ params: both(id, reply) }),
    commenters: (query = {}) => client.listCommentersInChangeRequest({ params, query }),
  }
}

/** The calls of one caller about the comments of one place. */
export type Comments = ReturnType<typeof commentsOnMain>

/** The places that comments can be on. */
export const commentedOn = ['main content', 'a change request'] as const

/** People who comment: makes what they comment on, with the pages a, a/b, a/b/c and d. */
export function aCommenter(setup: () => ContentSetup) {
  const proposer = aProposer(setup)
  return {
    ...proposer,
    /** A new place, the calls of each role there, and the open comments that it shows to a role. */
    async aPlace(kind: (typeof commentedOn)[number]) {
      const tree = await proposer.aTree()
      const { spaceId } = tree
      const changeRequest = kind === 'main content' ? undefined : await proposer.propose(spaceId)
      const by = (role: Role | null | undefined, user?: string): Comments => {
        const client = setup().as(role, user === undefined ? {} : { user })
        return changeRequest
          ? commentsOnChangeRequest(client, { spaceId, changeRequestId: changeRequest.id })
          : commentsOnMain(client, { spaceId })
      }
      const open = async (role: Role = 'comment') => {
        const { comments } = changeRequest
          ? await proposer.get(changeRequest, role)
          : await setup().as(role).getSpaceById({ params: { spaceId } })
        return comments
      }
      const change = async (...changes: Parameters<typeof proposer.edit>[1][]) =>
        changeRequest ? proposer.edit(changeRequest, ...changes) : proposer.change(spaceId, ...changes)
      return { ...tree, changeRequest, by, open, change }
    },
  }
}
