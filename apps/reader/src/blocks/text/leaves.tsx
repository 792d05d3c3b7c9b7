import type { DocumentLeaf, DocumentMark } from '@recto/markdown/schema'
import type { ComponentChildren } from 'preact'
import { visibleText } from '../model/raw-text.ts'

/** Text with its marks; `\n` is a line break. */
export function leavesOf(leaves: readonly DocumentLeaf[]): ComponentChildren {
  return leaves.map(({ text, marks }) => {
    const isRaw = marks.some(mark => mark.type === 'code' && mark.data?.raw === true)
    if (isRaw) return linesOf(visibleText(text))
    return marks.reduceRight<ComponentChildren>((inner, mark) => marked(inner, mark), linesOf(text))
  })
}

/** Text whose lines are divided by `<br>`. */
export function linesOf(text: string): ComponentChildren {
  if (!text.includes('\n')) return text
  return text.split('\n').map((line, at) => (at === 0 ? line : [<br />, line]))
}

const colors = new Set(['green', 'blue', 'red', 'orange', 'yellow', 'purple', 'pink', 'violet', 'cyan'])
const themeColors = new Set(['$primary', '$info', '$success', '$warning', '$danger', '$tint'])

/** The name of a colour in style sheets; undefined for the colour that the text has anyway. */
export function colorName(color: string | undefined): string | undefined {
  if (color === undefined) return undefined
  if (themeColors.has(color)) return color.slice(1)
  return colors.has(color) ? color : undefined
}

function marked(inner: ComponentChildren, mark: DocumentMark): ComponentChildren {
  switch (mark.type) {
    case 'bold':
      return <strong>{inner}</strong>
    case 'italic':
      return <em>{inner}</em>
    case 'keyboard':
      return <kbd>{inner}</kbd>
    case 'strikethrough':
      return <del>{inner}</del>
    case 'superscript':
      return <sup>{inner}</sup>
    case 'subscript':
      return <sub>{inner}</sub>
    case 'code':
      return <code>{inner}</code>
    case 'color': {
      const text = colorName(mark.data.text)
      const background = colorName(mark.data.background)
      return background ? (
        <mark data-color={text} data-background={background}>
          {inner}
        </mark>
      ) : (
        <span data-color={text}>{inner}</span>
      )
    }
    default:
      return inner
  }
}
