import type { FrameView } from './view.ts'

/** A button that asks a question. It is a form, as no link may cost anything. */
export function QuestionForm({
  view: { site },
  question,
  text = question,
}: {
  view: FrameView
  question: string
  text?: string
}) {
  return (
    <form action={`${site.links.own}ask`} method="post" data-ask>
      <input type="hidden" name="q" value={question} />
      <button type="submit" class="question">
        {text}
      </button>
    </form>
  )
}
