import { rawMark, sameMark } from './marks.ts'
import { textNode } from './nodes.ts'
import type { DocumentInline, DocumentMark, DocumentText } from './schema.ts'

/** Builds the nodes of text; leaves of the same format become one. */
export class InlineBuilder {
  readonly nodes: (DocumentText | DocumentInline)[] = []

  text(value: string, marks: readonly DocumentMark[]): void {
    if (value === '') return
    const last = this.nodes.at(-1)
    if (last?.object !== 'text') {
      this.nodes.push(textNode(value, marks))
      return
    }
    const leaf = last.leaves.at(-1)
    const isSame = leaf?.marks.length === marks.length && marks.every((mark, at) => sameMark(mark, leaf.marks[at]))
    if (leaf && isSame) leaf.text += value
    else last.leaves.push({ object: 'leaf', text: value, marks: [...marks] })
  }

  add(node: DocumentInline): void {
    this.nodes.push(node)
  }

  /** Takes back the last word, which a footnote annotates. */
  takeWord(): DocumentText {
    const last = this.nodes.at(-1)
    const leaf = last?.object === 'text' ? last.leaves.at(-1) : undefined
    const isRaw = leaf?.marks.some(mark => sameMark(mark, rawMark))
    const word = (!isRaw && /\S+$/.exec(leaf?.text ?? '')?.[0]) || ''
    if (!leaf || word === '' || last?.object !== 'text') return textNode('')
    leaf.text = leaf.text.slice(0, -word.length)
    if (leaf.text === '') last.leaves.pop()
    if (last.leaves.length === 0) this.nodes.pop()
    return textNode(word, leaf.marks)
  }
}
