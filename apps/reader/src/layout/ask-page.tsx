import { renderToString } from 'preact-render-to-string'
import { renderDocument } from './document.tsx'
import { Hits, type Hit } from './other-pages.tsx'
import { QuestionForm } from './question-form.tsx'
import type { FrameView } from './view.ts'

/** The end of an answer. */
export interface AnswerEnd {
  sources: readonly Hit[]
  followupQuestions: readonly string[]
}

/** An answer as far as it has come. */
export interface AnswerView {
  question: string
  /** The text of the answer, as the reader renders documents; empty where no page answers. */
  html: string
  /** Undefined while the answer is being written. */
  end?: AnswerEnd | undefined
  /** The reason why there is no answer, or no more of it. */
  fault?: string | undefined
}

/** Renders an answer, for its page and for the script that shows it while it is written. */
export function renderAnswer(view: FrameView, answer: AnswerView): string {
  return renderToString(<Answer view={view} answer={answer} />)
}

function Answer({ view, answer: { question, html, end, fault } }: { view: FrameView; answer: AnswerView }) {
  const { site, t } = view
  return (
    <>
      {question !== '' && <h2>{question}</h2>}
      {html !== '' && <div class="page-body without-anchors" dangerouslySetInnerHTML={{ __html: html }} />}
      {fault !== undefined && <p class="ask-fault">{fault}</p>}
      {end && end.sources.length > 0 && (
        <>
          <h2 class="ask-heading">{t('askSources')}</h2>
          <Hits hits={end.sources} />
        </>
      )}
      {end && end.sources.length === 0 && (
        <p class="ask-fault">
          {t(html === '' ? 'askUnknown' : 'askUnsupported')}{' '}
          <a href={`${site.links.own}search?q=${encodeURIComponent(question)}`}>
            {t('askSearch', { query: question })}
          </a>
        </p>
      )}
      {end && <Questions view={view} title={t('askFollowUps')} questions={end.followupQuestions} />}
    </>
  )
}

function Questions({ view, title, questions }: { view: FrameView; title: string; questions: readonly string[] }) {
  if (questions.length === 0) return null
  return (
    <>
      <h2 class="ask-heading">{title}</h2>
      <ul class="questions">
        {questions.map(question => (
          <li>
            <QuestionForm view={view} question={question} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** The page of a question: with its answer, or with questions to begin with. */
export interface AskPage {
  /** The text of the field. */
  question: string
  answer?: AnswerView | undefined
  suggestions?: readonly string[]
}

/** Renders the page on which visitors ask questions; it works without a script. */
export function renderAsk(view: FrameView, { question, answer, suggestions = [] }: AskPage): string {
  const { site, t } = view
  return renderDocument(view, {
    head: { title: t('ask'), isIndexed: false },
    main: (
      <article class="article">
        <h1>{t('ask')}</h1>
        <p class="ask-notice">{t('askNotice')}</p>
        <form
          class="search-form"
          action={`${site.links.own}ask`}
          method="post"
          data-ask
          data-working={t('askWorking')}
          data-stopped={t('askStopped')}
          data-failed={t('askFailed')}
        >
          <input
            type="text"
            name="q"
            value={question}
            placeholder={t('askPlaceholder')}
            aria-label={t('askPlaceholder')}
            autocomplete="off"
            required
          />
          <button type="submit">{t('ask')}</button>
          <button type="button" hidden data-ask-stop>
            {t('askStop')}
          </button>
        </form>
        <p class="ask-status" role="status" data-ask-status></p>
        <div class="ask-answer" tabIndex={-1} aria-live="polite" data-ask-answer>
          {answer ? (
            <Answer view={view} answer={answer} />
          ) : (
            <Questions view={view} title={t('askSuggestions')} questions={suggestions} />
          )}
        </div>
      </article>
    ),
  })
}
