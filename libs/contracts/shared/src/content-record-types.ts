import { types } from './record-type.ts'

const parent = { parent: 'collection' } as const

/** Types of changes of spaces and what is in them. */
export const content = types({
  'space.created': { summary: 'A space was created', about: ['space'], names: parent },
  'space.updated': { summary: 'The settings of a space were updated', about: ['space'] },
  'space.deleted': { summary: 'A space was deleted; it can be restored', about: ['space'] },
  'space.restored': { summary: 'A deleted space was restored', about: ['space'], names: parent },
  'space.purged': {
    summary: 'A deleted space was purged with its content',
    about: ['space'],
    causedBy: 'space.deleted',
  },
  'space.moved': { summary: 'A space was moved within its organization', about: ['space'], names: parent },
  'space.transferred': { summary: 'A space left or entered the organization', about: ['space'] },
  'space.permissions.updated': {
    summary: 'Grants or the default level of a space changed',
    about: ['space'],
    role: 'create',
  },
  'space.content.updated': { summary: 'The main content of a space is another revision', about: ['space'] },
  'collection.created': { summary: 'A collection was created', about: ['collection'], names: parent },
  'collection.updated': { summary: 'The settings of a collection were updated', about: ['collection'] },
  'collection.deleted': {
    summary: 'A collection was deleted with what is in it',
    about: ['collection'],
    names: { spaces: 'space', collections: 'collection' },
  },
  'collection.moved': {
    summary: 'A collection was moved within its organization',
    about: ['collection'],
    names: parent,
  },
  'collection.transferred': {
    summary: 'A collection left or entered the organization',
    about: ['collection'],
    names: { spaces: 'space' },
  },
  'collection.permissions.updated': {
    summary: 'Grants or the default level of a collection changed',
    about: ['collection'],
    role: 'create',
  },
  'change-request.created': { summary: 'A change request was created', about: ['space', 'changeRequest'] },
  'change-request.updated': { summary: 'A change request was updated', about: ['space', 'changeRequest'] },
  'change-request.status.updated': {
    summary: 'A change request has another status',
    about: ['space', 'changeRequest'],
  },
  'change-request.content.updated': {
    summary: 'The content of a change request is another revision',
    about: ['space', 'changeRequest'],
  },
  'change-request.merged': {
    summary: 'A change request was merged into main content',
    about: ['space', 'changeRequest'],
  },
  'change-request.reviewed': { summary: 'A change request was reviewed', about: ['space', 'changeRequest', 'review'] },
  'change-request.reviewers.updated': {
    summary: 'Users were asked to review a change request, or are not any more',
    about: ['space', 'changeRequest'],
  },
  'comment.created': { summary: 'A comment was posted', about: ['space', 'comment'], role: 'comment' },
  'comment.updated': {
    summary: 'A comment was edited, resolved, reopened or reacted to',
    about: ['space', 'comment'],
    role: 'comment',
  },
  'comment.deleted': {
    summary: 'A comment was deleted with its replies',
    about: ['space', 'comment'],
    role: 'comment',
  },
  'comment-reply.created': {
    summary: 'A comment was replied to',
    about: ['space', 'comment', 'commentReply'],
    role: 'comment',
  },
  'comment-reply.updated': {
    summary: 'A reply was edited or reacted to',
    about: ['space', 'comment', 'commentReply'],
    role: 'comment',
  },
  'comment-reply.deleted': {
    summary: 'A reply was deleted',
    about: ['space', 'comment', 'commentReply'],
    role: 'comment',
  },
  'font.created': { summary: 'A font was uploaded', about: ['font'], readers: 'members' },
  'font.updated': { summary: 'A font was updated', about: ['font'], readers: 'members' },
  'font.deleted': { summary: 'A font was deleted', about: ['font'], readers: 'members' },
  'translation.created': {
    summary: 'A translation of a space was created',
    about: ['space', 'translation'],
    names: { source: 'space' },
  },
  'translation.updated': { summary: 'A translation was updated', about: ['space', 'translation'] },
  'translation.deleted': { summary: 'A translation was deleted', about: ['space', 'translation'] },
  'translation.run.started': {
    summary: 'A run of a translation started',
    about: ['space', 'translation', 'translationRun'],
  },
  'translation.run.finished': {
    summary: 'A run of a translation ended',
    about: ['space', 'translation', 'translationRun'],
    causedBy: 'translation.run.started',
  },
  'glossary.updated': { summary: 'The glossary of translations was updated', about: [], readers: 'members' },
  'import.started': { summary: 'An import of content started', about: ['space', 'importRun'] },
  'import.finished': {
    summary: 'An import of content ended',
    about: ['space', 'importRun'],
    causedBy: 'import.started',
  },
  'storage.upload.created': { summary: 'An upload of a file was prepared', about: [], readers: 'admins' },
})
