import type { ChangeComment, ChangeComments, Differences, PageDifference } from '../api/types.ts'
import { settingText, type Body } from '../blocks/index.ts'
import type { Translate } from '../i18n/index.ts'
import { commentOverview } from './change-comments.rules.ts'
import { CommentSection } from './change-comments.tsx'
import { renderDocument } from './document.tsx'
import type { FrameView } from './view.ts'

type Change = Differences['items'][number]
type FileChange = Differences['files'][number]

/** Addresses of the pages of changes. */
export interface DifferenceLinks {
  all: string
  ofPage(id: string): string
  /** The page after the ones that are listed. */
  more: string | undefined
  ofFile(file: FileChange['before'] & object, side: 'before' | 'after'): string
}

/** The changed pages before and after one. */
export interface Neighbours {
  before?: Change | undefined
  after?: Change | undefined
}

/** The pages and files that differ, with the comments for those who may read them. */
export interface ListedDifferences {
  differences: Differences
  comments: ChangeComments | undefined
}

/** Renders the list of pages and files that differ. */
export function renderDifferences(
  view: FrameView,
  { differences, comments }: ListedDifferences,
  links: DifferenceLinks,
): string {
  const { t, site } = view
  const { items, files } = differences
  const listedPages = new Set(items.map(({ page }) => page.id))
  const overview = commentOverview(comments?.items ?? [], listedPages, id => site.tree.byId.has(id))
  return renderDocument(view, {
    head: { title: t('changes.title'), isIndexed: false },
    main: (
      <article class="article">
        <h1>{t('changes.title')}</h1>
        {items.length + files.length === 0 && <p>{t('changes.none')}</p>}
        <ul class="hits change-list">
          {items.map(change => (
            <li>
              <a href={links.ofPage(change.page.id)}>
                <strong>
                  <bdi>{change.page.title}</bdi>
                </strong>
                <Summary change={change} t={t} open={overview.open.get(change.page.id)} />
              </a>
            </li>
          ))}
        </ul>
        {links.more !== undefined && (
          <p>
            <a href={links.more}>{t('changes.more')}</a>
          </p>
        )}
        {files.length > 0 && <Files files={files} links={links} t={t} />}
        <CommentSection
          view={view}
          comments={overview.general}
          overview={overview}
          isCut={comments?.next !== undefined}
          ofPage={links.ofPage}
        />
      </article>
    ),
  })
}

/** A page that differs: its body has the comments on its blocks in it. */
export interface ShownDifference {
  change: PageDifference
  body?: Body
  /** The other comments on the page. */
  comments: readonly ChangeComment[]
  hasMoreComments: boolean
  neighbours: Neighbours
}

/** Renders what differs in a page. */
export function renderDifference(
  view: FrameView,
  { change, body, comments, hasMoreComments: isCut, neighbours }: ShownDifference,
  links: DifferenceLinks,
): string {
  const { t, site } = view
  const { page } = change
  const { title, ...attributes } = change.attributes
  return renderDocument(view, {
    head: { title: page.title, isIndexed: false, hasMath: body?.hasMath === true },
    current: site.tree.byId.get(page.id),
    main: (
      <article class="article change-page" data-changes>
        <header>
          <nav class="breadcrumbs" aria-label={t('breadcrumbs')}>
            <ol>
              <li>
                <a href={links.all}>{t('changes.all')}</a>
              </li>
            </ol>
          </nav>
          <h1>{title?.before !== undefined ? <Changed {...title} /> : page.title}</h1>
          <p class="change-summary">
            <Summary change={change} t={t} />
          </p>
          <p class="change-keys scripted-only">{t('changes.keys')}</p>
          <Settings attributes={attributes} t={t} />
        </header>
        {body ? <div class="page-body" dangerouslySetInnerHTML={{ __html: body.html }} /> : <p>{t('changes.none')}</p>}
        <CommentSection view={view} comments={comments} isCut={isCut} ofPage={links.ofPage} />
        <Pagination neighbours={neighbours} links={links} t={t} />
      </article>
    ),
  })
}

const statuses = { created: 'changes.created', deleted: 'changes.removed', edited: 'changes.edited' } as const

/** The ways in which a page differs, and how much; and how many comments on it are open. */
function Summary({ change, t, open }: { change: Change; t: Translate; open?: number | undefined }) {
  const { status, moved, from, counts } = change
  const { insertions, deletions } = counts
  const isEdited = insertions + deletions > 0 || Object.keys(change.attributes).length > 0
  return (
    <small>
      {(status !== 'edited' || isEdited) && <span class={`change-status ${status}`}>{t(statuses[status])}</span>}
      {moved && (
        <span class="change-status moved">
          {from?.path === undefined ? t('changes.moved') : <MovedFrom path={from.path} t={t} />}
        </span>
      )}
      <span class="change-counts" dir="ltr" title={t('changes.words', { insertions, deletions })}>
        <span class="visually-hidden">{t('changes.words', { insertions, deletions })}</span>
        <span aria-hidden="true" class="inserted">{`+${insertions}`}</span>{' '}
        <span aria-hidden="true" class="deleted">{`−${deletions}`}</span>
      </span>
      {open !== undefined && open > 0 && <span>{t('comments.open', { number: open })}</span>}
    </small>
  )
}

/** Stands for a path in the text around it. */
const pathMark = '{path}'

/** Where a page was: its path reads from the left, whatever the language around it. */
function MovedFrom({ path, t }: { path: string; t: Translate }) {
  const [before, after] = t('changes.movedFrom', { path: pathMark }).split(pathMark)
  return (
    <>
      {before}
      <bdi dir="ltr">{`/${path}`}</bdi>
      {after}
    </>
  )
}

function Changed({ before, after }: { before?: unknown; after?: unknown }) {
  return (
    <>
      {before !== undefined && <del data-change="setting">{settingText(before)}</del>}{' '}
      {after !== undefined && <ins data-change="setting">{settingText(after)}</ins>}
    </>
  )
}

function Settings({ attributes, t }: { attributes: Record<string, unknown>; t: Translate }) {
  const entries = Object.entries(attributes) as [string, { before?: unknown; after?: unknown }][]
  if (entries.length === 0) return null
  return (
    <section class="change-page-settings" aria-label={t('changes.settings')}>
      <h2>{t('changes.settings')}</h2>
      <dl>
        {entries.map(([name, value]) => (
          <div>
            <dt>
              <code>{name}</code>
            </dt>
            <dd dir="auto">
              <Changed {...value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Files side by side: pictures as they look, others by their names. */
function Files({ files, links, t }: { files: readonly FileChange[]; links: DifferenceLinks; t: Translate }) {
  const side = (name: 'before' | 'after', file: FileChange['before']) => (
    <figure>
      <figcaption>{t(name === 'before' ? 'changes.before' : 'changes.after')}</figcaption>
      {file && (
        <a href={links.ofFile(file, name)}>
          {file.contentType.startsWith('image/') && <img src={links.ofFile(file, name)} alt="" loading="lazy" />}
          <bdi>{file.name}</bdi>
        </a>
      )}
    </figure>
  )
  return (
    <section class="change-files">
      <h2>{t('changes.files')}</h2>
      <ul>
        {files.map(({ before, after }) => (
          <li>
            {side('before', before)}
            {side('after', after)}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Pagination({ neighbours, links, t }: { neighbours: Neighbours; links: DifferenceLinks; t: Translate }) {
  const { before, after } = neighbours
  if (!before && !after) return null
  return (
    <nav class="pagination" aria-label={t('pagination')}>
      {before && (
        <a rel="prev" href={links.ofPage(before.page.id)}>
          <span>
            <small>{t('previous')}</small>
            {before.page.title}
          </span>
        </a>
      )}
      {after && (
        <a rel="next" href={links.ofPage(after.page.id)}>
          <span>
            <small>{t('next')}</small>
            {after.page.title}
          </span>
        </a>
      )}
    </nav>
  )
}
