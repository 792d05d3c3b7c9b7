import { isDocumentColor, type DocumentColorName } from './colors.ts'
import type { DocumentLeaf, DocumentMark } from './schema.ts'

/** From the outermost to the innermost: the one order in which marks are written. */
const order = ['color', 'strikethrough', 'italic', 'bold', 'superscript', 'subscript', 'keyboard', 'code'] as const

/** Adds a mark, in the order in which marks are written; of two of one type the inner one counts. */
export function withMark(marks: readonly DocumentMark[], mark: DocumentMark): DocumentMark[] {
  const others = marks.filter(({ type }) => type !== mark.type)
  return [...others, mark].sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
}

/** The mark of a simple type. */
export function markOf(type: Exclude<DocumentMark['type'], 'color' | 'code'>): DocumentMark {
  return { object: 'mark', type }
}

/** The mark of code. */
export const codeMark: DocumentMark = { object: 'mark', type: 'code' }

/** The mark of what was not understood. */
export const rawMark: DocumentMark = { object: 'mark', type: 'code', data: { raw: true } }

/** Tells whether text is Markdown that was not understood. */
export function isRaw(marks: readonly DocumentMark[]): boolean {
  return marks.some(mark => mark.type === 'code' && mark.data?.raw === true)
}

/** Tells whether two marks are the same. */
export function sameMark(a: DocumentMark | undefined, b: DocumentMark | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Reads `color:red;background-color:blue;`; undefined for any other style. */
export function readColors(style: string): DocumentMark | undefined {
  const styles: Record<string, DocumentColorName> = {}
  for (const part of style.split(';').filter(part => part.trim() !== '')) {
    const [name = '', value = '', ...more] = part.split(':').map(piece => piece.trim())
    if (more.length > 0 || !['color', 'background-color'].includes(name)) return undefined
    if (styles[name] !== undefined || !isDocumentColor(value)) return undefined
    styles[name] = value
  }
  if (Object.keys(styles).length === 0) return undefined
  const text = styles['color'] ?? 'default'
  const background = styles['background-color'] ?? 'default'
  return { object: 'mark', type: 'color', data: { text, background } }
}

/** Writes a colour as `readColors` reads it. */
export function writeColors(mark: DocumentMark): string {
  if (mark.type !== 'color') return ''
  const { text, background } = mark.data
  const isText = text !== 'default' || background === 'default'
  return `${isText ? `color:${text};` : ''}${background === 'default' ? '' : `background-color:${background};`}`
}

const edgeMarks = ['strikethrough', 'italic', 'bold'] as const

/** Takes bold and the like from blanks at the edges of marked text, since Markdown cannot say it. */
export function withoutMarkedEdges<Node extends { object: string }>(nodes: readonly Node[]): Node[] {
  return nodes.map(node => {
    if (node.object !== 'text') return node
    const { leaves } = node as unknown as { leaves: DocumentLeaf[] }
    return { ...node, leaves: edgeMarks.reduce(withoutMarkAtEdges, leaves) }
  })
}

function withoutMarkAtEdges(leaves: DocumentLeaf[], type: (typeof edgeMarks)[number]): DocumentLeaf[] {
  const isMarked = (leaf: DocumentLeaf | undefined) => leaf?.marks.some(mark => mark.type === type) === true
  const allLeaves: DocumentLeaf[] = []
  for (let start = 0; start < leaves.length;) {
    let end = start
    while (end < leaves.length && isMarked(leaves[end]) === isMarked(leaves[start])) end += 1
    const run = leaves.slice(start, end)
    for (const leaf of isMarked(leaves[start]) ? withoutEdges(run, type) : run) addLeaf(allLeaves, leaf)
    start = end
  }
  return allLeaves
}

function withoutEdges(run: DocumentLeaf[], type: DocumentMark['type']): DocumentLeaf[] {
  const without = ({ text, marks }: DocumentLeaf): DocumentLeaf => ({
    object: 'leaf',
    text,
    marks: marks.filter(mark => mark.type !== type),
  })
  const isBlank = ({ text, marks }: DocumentLeaf) => /^\s*$/.test(text) && !marks.some(mark => mark.type === 'code')
  const first = run.findIndex(leaf => !isBlank(leaf))
  if (first < 0) return run.map(without)
  const last = run.findLastIndex(leaf => !isBlank(leaf))
  return run.flatMap((leaf, at) => {
    if (at < first || at > last) return [without(leaf)]
    const isCode = leaf.marks.some(mark => mark.type === 'code')
    const before = (at === first && !isCode && /^\s+/.exec(leaf.text)?.[0]) || ''
    const after = (at === last && !isCode && /\s+$/.exec(leaf.text)?.[0]) || ''
    const text = leaf.text.slice(before.length, leaf.text.length - after.length)
    const parts = [without({ ...leaf, text: before }), { ...leaf, text }, without({ ...leaf, text: after })]
    return parts.filter(part => part.text !== '')
  })
}

function addLeaf(leaves: DocumentLeaf[], leaf: DocumentLeaf): void {
  const last = leaves.at(-1)
  if (last && JSON.stringify(last.marks) === JSON.stringify(leaf.marks))
    leaves[leaves.length - 1] = { ...last, text: last.text + leaf.text }
  else leaves.push(leaf)
}
