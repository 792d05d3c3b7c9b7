import type { Node } from 'mdast'

/** One tag of the dialect, `{% name a="b" %}`; `block` tags stand alone on their lines. */
export interface TagNode extends Node {
  type: 'tag'
  /** The tag as it was written. */
  source: string
  name: string
  /** Values without the backslashes of Markdown. */
  attributes: Record<string, string>
  /** The text behind the name, as it was written. */
  rest: string
  isBlock: boolean
}

declare module 'mdast' {
  interface RootContentMap {
    tag: TagNode
  }
  interface PhrasingContentMap {
    tag: TagNode
  }
  interface BlockContentMap {
    tag: TagNode
  }
  interface LinkData {
    /** The destination as it was written, without the backslashes of Markdown. */
    target?: string
  }
  interface ImageData {
    /** The destination as it was written, without the backslashes of Markdown. */
    target?: string
  }
  interface DefinitionData {
    /** The destination as it was written, without the backslashes of Markdown. */
    target?: string
  }
}
