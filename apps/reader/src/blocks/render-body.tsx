import { Fragment, type ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { DocumentBlock } from '@recto/markdown/schema'
import { localeOf, translator } from '../i18n/index.ts'
import { writeBlocks } from './block.tsx'
import { loadGrammars, newHighlight, type Highlight } from './highlight/highlight.ts'
import type { Body, BodyInput } from './model/body.ts'
import { CommentThreads } from './marks/comment-thread.tsx'
import { nextOf, newState, type Context } from './model/context.ts'

/** Characters of HTML after which a page ends: a browser shows no more of them in any time that a visitor waits. */
const maxCharacters = 8_000_000

/** Writes the body of a page as HTML. Depends on nothing but its input. */
export async function renderBody(input: BodyInput): Promise<Body> {
  const first = newHighlight()
  const body = write(input, first)
  if (first.missingLanguages.size === 0) return body
  // Grammars are loaded when a page needs them for the first time: it is written again then.
  await loadGrammars(first.missingLanguages)
  return write(input, newHighlight())
}

function write(input: BodyInput, highlight: Highlight): Body {
  const state = newState()
  const context: Context = {
    input,
    state,
    highlight,
    depth: 0,
    isOutlined: true,
    isInLink: false,
    isInUpdate: false,
    including: [],
    blocks: writeBlocks,
    t: translator(localeOf(input.locale)),
  }
  const parts = partsOf(input)
  const count = parts.filter(({ isChanged }) => isChanged).length
  let html = ''
  for (const { nodes, isChanged } of parts) {
    const content = withComments(nodes, context)
    html += renderToString(<Fragment>{isChanged ? withSteps(content, count, context) : content}</Fragment>)
    if (state.nodesLeft < 0 || html.length > maxCharacters) break
  }
  const isCut = state.nodesLeft < 0 || html.length > maxCharacters
  const remark = isCut ? renderToString(<p class="cut">{context.t('blocks.tooLong')}</p>) : ''
  return { html: `${html}${remark}`, outline: state.outline, hasMath: state.hasMath, updates: state.updates }
}

/** Blocks, each with the comments that stand behind it. */
function withComments(nodes: readonly DocumentBlock[], context: Context): ComponentChildren {
  const { marked, locale } = context.input
  if (!marked?.comments) return writeBlocks(nodes, context)
  return nodes.map(node => (
    <>
      {writeBlocks([node], context)}
      <CommentThreads comments={marked.comments?.get(node) ?? []} writing={{ locale, t: context.t }} />
    </>
  ))
}

interface Part {
  nodes: DocumentBlock[]
  isChanged: boolean
}

/** The blocks of a body one by one; those side by side that differ from another document are one part. */
function partsOf({ document, marked }: BodyInput): Part[] {
  const parts: Part[] = []
  for (const node of document.nodes) {
    const isChanged = marked?.changed.has(node) === true
    const last = parts.at(-1)
    if (isChanged && last?.isChanged) last.nodes.push(node)
    else parts.push({ nodes: [node], isChanged })
  }
  return parts
}

/** Blocks that differ, with links to those before and those after them. */
function withSteps(content: ComponentChildren, count: number, context: Context): ComponentChildren {
  const { t, state } = context
  const number = nextOf(state, 'change')
  return (
    <div class="changed" id={`recto-change-${number}`}>
      <nav class="change-steps" aria-label={t('changes.change', { number, total: count })}>
        {number > 1 && <a class="previous" href={`#recto-change-${number - 1}`} aria-label={t('changes.previous')} />}
        {number < count && <a href={`#recto-change-${number + 1}`} aria-label={t('changes.next')} />}
      </nav>
      {content}
    </div>
  )
}
