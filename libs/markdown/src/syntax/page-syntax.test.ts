import fc from 'fast-check'
import { describe, expect, it } from '@jest/globals'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { mathFromMarkdown } from 'mdast-util-math'
import { gfm } from 'micromark-extension-gfm'
import { math } from 'micromark-extension-math'
import type { Extension } from 'micromark-util-types'
import { emojiNodes, emojiSyntax } from './emoji-syntax.ts'
import { htmlSyntax } from './html-syntax.ts'
import { pageSyntax } from './page-syntax.ts'
import { tagSyntax } from './tag-syntax.ts'

const mdastExtensions = [...gfmFromMarkdown(), mathFromMarkdown(), emojiNodes]
const whole = [gfm(), math({ singleDollarTextMath: false }), htmlSyntax, tagSyntax, emojiSyntax]
const parse = (markdown: string, extensions: Extension[]) => fromMarkdown(markdown, { extensions, mdastExtensions })

/** One of each construct that only some pages have, and what is almost one. */
const constructs = [
  ['an e-mail', 'write to a.b+c-d_e@docs.example now', 'a @ b, @type forward, a@'],
  ['an e-mail that touches other text', '(x@docs.example) *x@y.z* https://a@b.example', 'x\\@docs.example x&#64;y.z'],
  ['an address', 'see HTTPS://docs.example/a?b or www.docs.example.', 'http and ftp://docs.example'],
  ['an address in letters of both kinds', 'Www.Docs.Example hTTp://x.example', 'ww.docs.example'],
  ['deleted text', 'a ~one~ and ~~two~~', '\\~\\~a\\~\\~'],
  ['a footnote', 'a[^1]\n\n[^1]: note', 'a[1]'],
  ['a task', '- [x] done\n- [ ] not', '- [y] none'],
  ['a task without a marker', '- [\n] a', '- []'],
  ['a table', 'a | b\n- | -\n1 | 2', 'a b\n---'],
  ['a table of one column without bars', 'a\n:-:\nb', 'a\n--\nb'],
  ['a table whose columns are to the left', 'a\n:-', 'a\n: -'],
  ['mathematics', 'a $$b$$ c\n\n$$\nd\n$$', 'a $b$ for 5$'],
] as const

describe('the syntax of a page', () => {
  it.each(constructs)('reads %s as the whole syntax does', (_title, markdown, almost) => {
    expect(parse(markdown, pageSyntax(markdown))).toEqual(parse(markdown, whole))
    expect(parse(almost, pageSyntax(almost))).toEqual(parse(almost, whole))
    expect(pageSyntax(markdown).length).toBeGreaterThan(pageSyntax('').length)
  })

  it('leaves out what a page cannot have', () => {
    expect(pageSyntax('Only *text* with `code`: no more.')).toHaveLength(3)
    expect(pageSyntax('a@b.c https://d [^e] ~f~ | [ ] $$g$$')).toHaveLength(10)
  })

  it('reads any text as the whole syntax does', () => {
    const marks = '@ ~ ~~ | : - :- -: $ $$ [ ] [^ [x] ]: ( ) < > ` * _ \\ & # ! . / \n \t'.split(' ')
    const words = ['a', 'h', 'w', '1', ' ', '\n\n', 'http://', 'https:', 'www.', 'é', '- ', '> ', '{% hint %}', '&#64;']
    const piece = fc.oneof(
      fc.constantFrom(...marks, ...words),
      fc.constantFrom(...constructs.flatMap(([, ...texts]) => texts)),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), pieces => {
        const markdown = pieces.join('')
        expect(parse(markdown, pageSyntax(markdown))).toEqual(parse(markdown, whole))
      }),
      { numRuns: 1_000 },
    )
  })
})
