import type { ChangeComment } from '../api/types.ts'
import { CommentThreads } from '../blocks/index.ts'
import type { CommentOverview } from './change-comments.rules.ts'
import type { FrameView } from './view.ts'

/** Comments that stand below the changes: those about none of the blocks of a page, or about no page. */
export function CommentSection({
  view: { t, locale },
  comments,
  overview,
  isCut,
  ofPage,
}: {
  view: FrameView
  comments: readonly ChangeComment[]
  overview?: CommentOverview | undefined
  /** Whether there are more comments than are shown. */
  isCut: boolean
  ofPage(id: string): string
}) {
  const { otherPages = [] } = overview ?? {}
  if (comments.length + otherPages.length === 0 && !isCut) return null
  return (
    <section class="change-comments">
      <h2>{t('comments.title')}</h2>
      {otherPages.length > 0 && (
        <ul>
          {otherPages.map(({ id, title, open }) => (
            <li>
              <a href={ofPage(id)}>
                <bdi>{title}</bdi>
              </a>{' '}
              <small>{t('comments.open', { number: open })}</small>
            </li>
          ))}
        </ul>
      )}
      {comments.map(comment => (
        <>
          {overview && comment.page && (
            <h3>
              <bdi>{comment.page.title}</bdi>
            </h3>
          )}
          <CommentThreads comments={[comment]} writing={{ t, locale }} />
        </>
      ))}
      {isCut && <p>{t('comments.more')}</p>}
    </section>
  )
}
