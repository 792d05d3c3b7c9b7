import { blankLine, htmlFlow } from 'micromark-core-commonmark'
import { markdownLineEnding } from 'micromark-util-character'
import type { Code, Construct, Effects, Extension, State } from 'micromark-util-types'
import { tagLine } from './tag-syntax.ts'

const lessThan = 60

/** The end of the HTML of most elements: in CommonMark a blank line, here also a line of tags. */
const lineThatEnds: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    return function start(code: Code): State | undefined {
      if (!markdownLineEnding(code)) return nok(code)
      effects.enter('lineEnding')
      effects.consume(code)
      effects.exit('lineEnding')
      return effects.attempt([blankLine, tagLine], ok, nok)
    }
  },
}

/** CommonMark's HTML blocks, ended by a line of tags as by a blank line. */
export const htmlSyntax: Extension = {
  flow: {
    [lessThan]: {
      ...htmlFlow,
      name: 'htmlFlow',
      tokenize(effects, ok, nok) {
        const check: Effects['check'] = (construct, yes, no) =>
          effects.check(isBlankLineCheck(construct) ? lineThatEnds : construct, yes, no)
        return htmlFlow.tokenize.call(this, { ...effects, check }, ok, nok)
      },
    },
  },
  disable: { null: [] },
}

function isBlankLineCheck(construct: unknown): boolean {
  return (construct as Construct).tokenize?.name === 'tokenizeBlankLineBefore'
}
