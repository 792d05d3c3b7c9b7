import type { ChangeComment } from '../../api/types.ts'
import { timeFormat, type Translate } from '../../i18n/index.ts'

type Remark = ChangeComment['replies'][number]

/** How comments are written: in the language of the interface. */
export interface CommentWriting {
  locale: string
  t: Translate
}

/** Comments with their replies: open ones unfolded, resolved ones folded. Their text is shown as it was typed. */
export function CommentThreads({ comments, writing }: { comments: readonly ChangeComment[]; writing: CommentWriting }) {
  if (comments.length === 0) return null
  return (
    <div class="comments" role="group" aria-label={writing.t('comments.title')}>
      {comments.map(comment => (
        <Thread comment={comment} writing={writing} />
      ))}
    </div>
  )
}

function Thread({ comment, writing }: { comment: ChangeComment; writing: CommentWriting }) {
  const { status, outdated: isOutdated, node, replies, replyCount } = comment
  const { t } = writing
  return (
    <details class="comment" open={status === 'open'}>
      <summary>
        <Byline remark={comment} writing={writing} />{' '}
        {status === 'resolved' && <span class="change-status">{t('comments.resolved')}</span>}
      </summary>
      {isOutdated && <p class="comment-remark">{t('comments.outdated')}</p>}
      {isOutdated && node?.preview !== undefined && node.preview !== '' && (
        <blockquote dir="auto">{node.preview}</blockquote>
      )}
      <p class="comment-text" dir="auto">
        {comment.markdown}
      </p>
      {replies.length > 0 && (
        <ol>
          {replies.map(reply => (
            <li>
              <Byline remark={reply} writing={writing} />
              <p class="comment-text" dir="auto">
                {reply.markdown}
              </p>
            </li>
          ))}
        </ol>
      )}
      {replyCount > replies.length && <p class="comment-remark">{t('comments.more')}</p>}
    </details>
  )
}

function Byline({
  remark: { author, postedAt, editedAt },
  writing: { locale, t },
}: {
  remark: Pick<Remark, 'author' | 'postedAt' | 'editedAt'>
  writing: CommentWriting
}) {
  return (
    <span class="comment-byline">
      <strong>
        <bdi>{author}</bdi>
      </strong>{' '}
      <time dateTime={postedAt}>{timeFormat(locale).format(new Date(postedAt))}</time>
      {editedAt !== undefined && <small>{` (${t('comments.edited')})`}</small>}
    </span>
  )
}
