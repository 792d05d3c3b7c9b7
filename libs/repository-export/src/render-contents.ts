import type { OutlineEntry } from '@recto/repository-content'
import type { CurrentContents, CurrentItem, EditStep } from './align-contents.ts'
import { plainTitle, type ContentsEntry, type ContentsItem } from './contents.ts'
import { headingText, itemText, retitleLink } from './contents-line.ts'
import type { TextLine } from './text-lines.ts'

/** A step with the lines of its item: lines of the repository unchanged, new lines as texts. */
export interface RenderedStep {
  step: EditStep
  lines: (TextLine | string)[]
}

/** The list style of a level: the white space before the marker, and the marker with the white space after it. */
interface Style {
  indent: string
  marker: string
}

/** The styles of the last items by level, down to the level of the last item. */
type Styles = (Style | undefined)[]

const markerOf = /^([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)/

/** Writes the lines of each step's item. Lines of unchanged entries stay byte for byte; new lines follow the style around them. */
export function renderSteps(contents: CurrentContents, steps: EditStep[], summary: string): RenderedStep[] {
  const renderer = { ...contents, summary, firstStyles: firstStylesOf(contents) }
  let styles: Styles = []
  return steps.map(step => {
    if (step.kind === 'drop') return { step, lines: [] }
    const rendered = renderItem(step, styles, renderer)
    styles = rendered.styles
    return { step, lines: rendered.lines }
  })
}

interface Renderer extends CurrentContents {
  /** Path of the table of contents, which links start from. */
  summary: string
  /** The style of the first item of each level. */
  firstStyles: ReadonlyMap<number, Style>
}

type Rendered = Pick<RenderedStep, 'lines'> & { styles: Styles }

function renderItem(step: Exclude<EditStep, { kind: 'drop' }>, styles: Styles, renderer: Renderer): Rendered {
  const { item, current } = step
  if (step.kind === 'insert') return writeItem(item, current, { styles, renderer })
  const isSame =
    step.current.level === item.level && step.current.entry && item.entry && isUnchanged(step.current.entry, item.entry)
  const rendered = isSame
    ? { lines: linesOfItem(step.current, renderer), styles }
    : writeItem(item, step.current, { styles, renderer })
  return { lines: rendered.lines, styles: stylesAfter(step, rendered.styles, renderer) }
}

/** Items after one that stays get its style. */
function stylesAfter(
  { item, current }: { item: ContentsItem; current: CurrentItem },
  styles: Styles,
  contents: CurrentContents,
): Styles {
  if (item.level < 0) return []
  const style = current.level === item.level ? styleOf(current, contents) : undefined
  return withStyle(styles, item.level, style ?? styles[item.level])
}

/** Writes an item, reusing its current lines where possible. */
function writeItem(
  item: ContentsItem,
  current: CurrentItem | undefined,
  { styles, renderer }: { styles: Styles; renderer: Renderer },
): Rendered {
  if (item.level < 0) return writeHeading(item, current, { styles, renderer })
  if (!item.entry) return { lines: [], styles }
  const style = styleFor(item.level, styles, renderer)
  const { indent, marker } = style
  const ownTexts = current && movedTexts(current, item.entry, renderer)
  const [first = '', ...more] = ownTexts ?? itemText(item.entry, renderer.summary)
  const indented = more.map(text => (text === '' ? '' : indent + ' '.repeat(marker.length) + text))
  return { lines: [indent + marker + first, ...indented], styles: withStyle(styles, item.level, style) }
}

function writeHeading(
  { entry }: ContentsItem,
  current: CurrentItem | undefined,
  { styles, renderer }: { styles: Styles; renderer: Renderer },
): Rendered {
  if (!entry && current) return { lines: [], styles }
  const isOneLine = current?.entry?.kind === 'group' && current.first === current.last
  const ownText = isOneLine ? linesOfItem(current, renderer)[0]?.text : undefined
  const marks = ownText === undefined ? undefined : /^ {0,3}#{1,6}[ \t]+/.exec(ownText)?.[0]
  const isSame = ownText !== undefined && current?.entry && entry && isUnchanged(current.entry, entry)
  const text = isSame ? ownText : `${marks ?? '## '}${headingText(entry?.title ?? '')}`.trimEnd()
  return { lines: [text], styles: [] }
}

/** The current texts of an entry without indentation and marker, with its new title; undefined when they cannot be reused. */
function movedTexts(current: CurrentItem, entry: ContentsEntry, contents: CurrentContents): string[] | undefined {
  const { kind } = current.entry ?? {}
  if (kind !== entry.kind || (current.entry?.kind === 'page' && current.entry.path !== entry.path)) return undefined
  if (current.entry?.kind === 'link' && current.entry.href !== entry.href) return undefined
  const [first, ...more] = linesOfItem(current, contents).map(({ text }) => text)
  const marker = markerOf.exec(first ?? '')
  if (first === undefined || !marker) return undefined
  const offset = marker[0].length
  const rest = more.map(line => line.replace(new RegExp(`^[ \\t]{0,${offset}}`), ''))
  const text = first.slice(offset)
  if (current.entry && isUnchanged(current.entry, entry)) return [text, ...rest]
  if (kind !== 'page' && kind !== 'link') return undefined
  const titled = retitleLink(text, entry.title)
  return titled === undefined ? undefined : [titled, ...rest]
}

/** Chooses the style of a new item: the last or first style of its level, if that is deeper than the level above. */
function styleFor(level: number, styles: Styles, { firstStyles }: Renderer): Style {
  const usual = styles[level] ?? firstStyles.get(level)
  const above = level > 0 ? styles[level - 1] : undefined
  if (usual && (!above || usual.indent.length >= above.indent.length + 2)) return usual
  const marker = usual?.marker ?? above?.marker ?? firstStyles.get(0)?.marker ?? '* '
  return { indent: above ? above.indent + ' '.repeat(Math.max(2, above.marker.length)) : '', marker }
}

function withStyle(styles: Styles, level: number, style: Style | undefined): Styles {
  const next = styles.slice(0, level)
  next[level] = style
  return next
}

function firstStylesOf(contents: CurrentContents): ReadonlyMap<number, Style> {
  const styles = new Map<number, Style>()
  for (const item of contents.items) {
    const style = styleOf(item, contents)
    if (style && !styles.has(item.level)) styles.set(item.level, style)
  }
  return styles
}

function styleOf({ first }: CurrentItem, { lines }: CurrentContents): Style | undefined {
  const [, indent = '', marker] = markerOf.exec(lines[first - 1]?.text ?? '') ?? []
  return marker === undefined ? undefined : { indent, marker }
}

function linesOfItem({ first, last }: CurrentItem, { lines }: CurrentContents): TextLine[] {
  return lines.slice(first - 1, last)
}

/** Whether the current line of an entry is already right. */
function isUnchanged(current: OutlineEntry, next: ContentsEntry): boolean {
  if (current.kind !== next.kind) return false
  if (current.kind === 'page' && current.path !== next.path) return false
  if (current.kind === 'link' && current.href !== next.href) return false
  if (next.keepsTitle || current.kind === 'computed') return true
  return plainTitle(current.title ?? '') === plainTitle(next.title)
}
