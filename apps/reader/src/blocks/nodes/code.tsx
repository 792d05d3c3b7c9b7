import type { DocumentBlock, DocumentInline } from '@recto/markdown/schema'
import type { ComponentChildren } from 'preact'
import { escapeText } from '../highlight/escape-text.ts'
import { evaluation, inside, consumeBudget, type Context } from '../model/context.ts'
import { plainText, textOfNodes } from '../model/plain-text.ts'
import { blocksIn, fragmentOf, isSet, textField } from '../model/read.ts'
import type { Mark } from '../model/mark.ts'
import { markOf } from '../marks/marked.tsx'
import { visibleLines } from '../model/raw-text.ts'
import { rawTag } from './raw-tag.tsx'
import type { WriteBlock } from './simple.tsx'

/** The published default. */
const defaultVisibleLines = 10

/** The frame around code. */
export interface CodeLook {
  title?: string | undefined
  language?: string | undefined
  isNumbered?: boolean
  isWrapped?: boolean
  isFullWidth?: boolean
  /** Lines that are visible until the reader opens the rest. */
  visibleLines?: number | undefined
  /** Indexes of lines that stand out. */
  highlighted?: ReadonlySet<number>
  /** How lines differ, by their indexes. */
  changes?: ReadonlyMap<number, Mark['kind']>
}

/** Code, or Markdown that was not understood. */
export const code: WriteBlock = (block, context) => {
  const lines = blocksIn(block).map(({ nodes = [] }) => textOfNodes(nodes, evaluation(context)))
  const source = lines.join('\n')
  if (isSet(block, 'raw')) {
    const tag = rawTag(source)
    if (tag !== undefined) return tag
    const visible = visibleLines(block, source)
    if (visible) return visible.map(line => <p dir="auto">{line}</p>)
  }
  const highlighted = new Set(blocksIn(block).flatMap((line, at) => (isSet(line, 'highlighted') ? [at] : [])))
  const look: CodeLook = {
    title: textField(block, 'title'),
    language: textField(block, 'syntax'),
    isNumbered: isSet(block, 'lineNumbers'),
    isWrapped: textField(block, 'overflow') === 'wrap' || isSet(block, 'raw'),
    isFullWidth: isSet(block, 'fullWidth'),
    visibleLines: visibleLineCount(block),
    highlighted,
    changes: new Map(blocksIn(block).flatMap((line, at) => markEntry(at, markOf(line, context)))),
  }
  return [<CodeFigure source={source} look={look} context={context} />, notesOf(block, context)]
}

function markEntry(at: number, mark: Mark | undefined): [number, Mark['kind']][] {
  return mark ? [[at, mark.kind]] : []
}

/** Lines of code that can be opened which are visible before. */
function visibleLineCount(block: DocumentBlock): number | undefined {
  if (!isSet(block, 'expandable')) return undefined
  const count = Number(block.data?.['collapsedLineCount'] ?? defaultVisibleLines)
  return Number.isInteger(count) && count > 0 ? count : defaultVisibleLines
}

/** Notes to lines of code stand below it. */
function notesOf(block: DocumentBlock, context: Context): ComponentChildren {
  const annotations = blocksIn(block).flatMap(({ nodes = [] }) =>
    nodes.filter((node): node is DocumentInline => node.object === 'inline' && node.type === 'annotation'),
  )
  if (annotations.length === 0) return null
  return (
    <ul class="code-notes">
      {annotations.map(node => (
        <li>
          <code>{plainText(node.nodes ?? [])}</code>
          {context.blocks(fragmentOf(node, 'annotation-body'), inside(context, { isOutlined: false }))}
        </li>
      ))}
    </ul>
  )
}

/** The name of a language as it is shown; none for text. */
function languageName(syntax: string | undefined): string | undefined {
  const name = /^[\w+#.-]{1,40}/.exec(syntax ?? '')?.[0]
  return /^(?:text|txt|plain|plaintext|none)$/i.test(name ?? '') ? undefined : name
}

/** Code in its frame. The button appears with the script that it needs. */
export function CodeFigure({ source, look, context }: { source: string; look: CodeLook; context: Context }) {
  const { title, language, isNumbered, isWrapped, isFullWidth } = look
  if (!consumeBudget(context, source.length >> 7)) return null
  const label = title === undefined ? context.t('blocks.code') : context.t('blocks.codeTitled', { title })
  const name = languageName(language)
  return (
    <figure
      class="code"
      data-wrap={isWrapped || undefined}
      data-numbered={isNumbered || undefined}
      data-full-width={isFullWidth || undefined}
      data-diagram={/^mermaid$/i.test(name ?? '') ? context.t('blocks.diagram') : undefined}
    >
      {(title !== undefined || name !== undefined) && (
        <figcaption>
          {title !== undefined && <span class="code-title">{title}</span>}
          {name !== undefined && <span class="code-language">{name}</span>}
        </figcaption>
      )}
      <button type="button" class="copy" hidden data-copy data-copied={context.t('blocks.copied')}>
        {context.t('blocks.copy')}
      </button>
      <CodeText source={source} look={look} label={label} context={context} />
      {isFolded(source, look) && <FoldSwitch context={context} />}
    </figure>
  )
}

/** Whether lines of code are behind a switch; one line more than those that are visible takes no more place than the switch. */
function isFolded(source: string, { visibleLines }: CodeLook): boolean {
  return visibleLines !== undefined && source.split('\n').length > visibleLines + 1
}

/** Opens and closes the lines before it, without a script: their style sheet looks at whether it is open. */
function FoldSwitch({ context: { t } }: { context: Context }) {
  return (
    <details class="code-switch">
      <summary>
        <span class="code-more">{t('blocks.showMore')}</span>
        <span class="code-less">{t('blocks.showLess')}</span>
      </summary>
    </details>
  )
}

/** Code without its frame, which scrolls when it is wide. */
export function CodeText({
  source,
  look,
  label,
  context,
}: {
  source: string
  look: CodeLook
  label: string
  context: Context
}) {
  return (
    <pre class="code-scroll" tabindex={0} role="group" aria-label={label} dir="ltr">
      <code dangerouslySetInnerHTML={{ __html: markupOf(source, look, context) }} />
    </pre>
  )
}

function markupOf(source: string, look: CodeLook, { highlight }: Context): string {
  const { language, highlighted, visibleLines, changes } = look
  const lines = (highlight.lines(source, language) ?? source.split('\n').map(escapeText)).map((line, at) =>
    markedLine(`<span class="${highlighted?.has(at) ? 'line highlighted' : 'line'}">${line}</span>`, changes?.get(at)),
  )
  if (!isFolded(source, look)) return lines.join('\n')
  const rest = lines.slice(visibleLines).map(line => `\n${line}`)
  return `${lines.slice(0, visibleLines).join('\n')}<span class="folded">${rest.join('')}</span>`
}

function markedLine(line: string, change: Mark['kind'] | undefined): string {
  if (change === undefined) return line
  const tag = change === 'delete' ? 'del' : 'ins'
  return `<${tag} class="change" data-change="${change}">${line}</${tag}>`
}
