import { markdownLineEnding, markdownSpace } from 'micromark-util-character'
import type { Code, Construct, Extension, State, TokenizeContext, Tokenizer } from 'micromark-util-types'

const leftBrace = 123
const rightBrace = 125
const percent = 37
const doubleQuote = 34
const singleQuote = 39
const backslash = 92

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    /** A line of tags, alone on the line. */
    tagLine: 'tagLine'
    /** One tag of such a line, `{% name %}`. */
    blockTag: 'blockTag'
    /** A tag within text. */
    inlineTag: 'inlineTag'
    tagContent: 'tagContent'
  }
}

/** Characters; a longer tag is text. */
const maxTagLength = 10_000

/** The offset up to which a text holds no end of a tag: otherwise each start would search it anew. */
const searchedUpTo = new WeakMap<TokenizeContext, number>()

/** Tokenizes `{% … %}`; a quoted attribute may hold `%}`, and a tag ends on its line. */
function tagTokenizer(type: 'blockTag' | 'inlineTag'): Tokenizer {
  return function tokenizeTag(effects, ok, nok) {
    const position = () => this.now().offset
    const startOffset = position()
    const noEndFound = () => void searchedUpTo.set(this, position())
    let quote: number | undefined
    let hasEnd = false
    let isPercent = false
    return startOffset < (searchedUpTo.get(this) ?? 0) ? nok : start

    function start(code: Code): State | undefined {
      if (code !== leftBrace) return nok(code)
      effects.enter(type)
      effects.enter('tagContent')
      effects.consume(code)
      return opening
    }
    function opening(code: Code): State | undefined {
      if (code !== percent) return nok(code)
      effects.consume(code)
      return inside
    }
    function inside(code: Code): State | undefined {
      if (code === null || markdownLineEnding(code) || position() - startOffset > maxTagLength) {
        if (!hasEnd) noEndFound()
        return nok(code)
      }
      hasEnd ||= isPercent && code === rightBrace
      isPercent = code === percent
      effects.consume(code)
      if (quote !== undefined) {
        if (code === backslash) return escaped
        if (code === quote) quote = undefined
        return inside
      }
      if (code === doubleQuote || code === singleQuote) quote = code
      return code === percent ? closing : inside
    }
    function escaped(code: Code): State | undefined {
      if (code === quote || code === backslash) {
        effects.consume(code)
        return inside
      }
      return inside(code)
    }
    function closing(code: Code): State | undefined {
      if (code !== rightBrace) return inside(code)
      effects.consume(code)
      effects.exit('tagContent')
      effects.exit(type)
      return ok
    }
  }
}

const blockTag: Construct = { partial: true, tokenize: tagTokenizer('blockTag') }

/** Tokenizes a line that holds tags and white space only. */
const tokenizeTagLine: Tokenizer = (effects, ok, nok) => {
  return start

  function start(code: Code): State | undefined {
    effects.enter('tagLine')
    return effects.attempt(blockTag, after, nok)(code)
  }
  function after(code: Code): State | undefined {
    if (code === null || markdownLineEnding(code)) {
      effects.exit('tagLine')
      return ok(code)
    }
    if (markdownSpace(code)) {
      effects.enter('whitespace')
      return whitespace(code)
    }
    return effects.attempt(blockTag, after, nok)(code)
  }
  function whitespace(code: Code): State | undefined {
    if (markdownSpace(code)) {
      effects.consume(code)
      return whitespace
    }
    effects.exit('whitespace')
    return after(code)
  }
}

/** The construct of a line of tags; like a thematic break, it ends a paragraph. */
export const tagLine: Construct = { name: 'tagLine', tokenize: tokenizeTagLine }

/** The extension of micromark that reads the dialect's tags. */
export const tagSyntax: Extension = {
  flow: { [leftBrace]: tagLine },
  text: { [leftBrace]: { name: 'inlineTag', tokenize: tagTokenizer('inlineTag') } },
}
