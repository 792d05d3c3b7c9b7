import { nameToEmoji } from 'gemoji'
import type { Node } from 'mdast'
import type { CompileContext, Extension as NodeExtension } from 'mdast-util-from-markdown'
import { asciiAlphanumeric } from 'micromark-util-character'
import type { Code, Extension, State } from 'micromark-util-types'

const colon = 58
const nameCharacters = new Set([43, 45, 95])
const maxNameLength = 64

/** An emoji written as `:name:`. */
export interface EmojiNode extends Node {
  type: 'emoji'
  name: string
  /** Its characters. */
  value: string
}

declare module 'mdast' {
  interface RootContentMap {
    emoji: EmojiNode
  }
  interface PhrasingContentMap {
    emoji: EmojiNode
  }
}

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    emoji: 'emoji'
  }
}

/** The extension of micromark that reads the names of emoji; other names are text. */
export const emojiSyntax: Extension = {
  text: {
    [colon]: {
      name: 'emoji',
      tokenize(effects, ok, nok) {
        let name = ''
        return start

        function start(code: Code): State | undefined {
          effects.enter('emoji')
          effects.consume(code)
          return inside
        }
        function inside(code: Code): State | undefined {
          if (code === colon && Object.hasOwn(nameToEmoji, name)) {
            effects.consume(code)
            effects.exit('emoji')
            return ok
          }
          const isName = code !== null && (asciiAlphanumeric(code) || nameCharacters.has(code))
          if (!isName || name.length > maxNameLength) return nok(code)
          name += String.fromCharCode(code)
          effects.consume(code)
          return inside
        }
      },
    },
  },
}

/** Makes nodes of the names of emoji. */
export const emojiNodes: NodeExtension = {
  enter: {
    emoji(this: CompileContext, token) {
      const name = this.sliceSerialize(token).slice(1, -1)
      this.enter({ type: 'emoji', name, value: nameToEmoji[name] ?? '' }, token)
    },
  },
  exit: {
    emoji(this: CompileContext, token) {
      this.exit(token)
    },
  },
}
