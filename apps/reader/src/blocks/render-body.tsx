import { Fragment } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { localeOf, translator } from '../i18n/index.ts'
import { writeBlocks } from './block.tsx'
import { loadGrammars, newHighlight, type Highlight } from './highlight/highlight.ts'
import type { Body, BodyInput } from './model/body.ts'
import { newState, type Context } from './model/context.ts'

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
  let html = ''
  for (const node of input.document.nodes) {
    html += renderToString(<Fragment>{writeBlocks([node], context)}</Fragment>)
    if (state.nodesLeft < 0 || html.length > maxCharacters) break
  }
  const isCut = state.nodesLeft < 0 || html.length > maxCharacters
  const remark = isCut ? renderToString(<p class="cut">{context.t('blocks.tooLong')}</p>) : ''
  return { html: `${html}${remark}`, outline: state.outline, hasMath: state.hasMath, updates: state.updates }
}
