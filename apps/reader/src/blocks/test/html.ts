import { HtmlValidate } from 'html-validate'
import { parse, type DefaultTreeAdapterTypes } from 'parse5'

/** Features that a page of ours may have although the standard rules refuse them, each with the reason. */
const exceptions = {
  // Authors choose the levels of their headings.
  'heading-level': 'off',
  // The end of a void element may be written either way.
  'void-style': 'off',
  // Blanks at the end of lines of code and in text are those of the author.
  'no-trailing-whitespace': 'off',
} as const

const validator = new HtmlValidate({ root: true, extends: ['html-validate:standard'], rules: exceptions })

/** The faults of a body in a page. */
export function faultsOf(body: string): string[] {
  const page = `<!DOCTYPE html><html lang="en"><head><title>Page</title></head><body><main><h1>Page</h1>${body}</main></body></html>`
  const { results } = validator.validateStringSync(page)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, offset }) => `${ruleId}: ${message} at ${page.slice(offset - 60, offset + 100)}`),
  )
}

type Node = DefaultTreeAdapterTypes.Node

/** The blank between the words of blocks. */
const blank = { nodeName: '#text', value: ' ' } as Node

/** The text of a body as a browser reads it, with the words of attributes that are read aloud or shown. */
export function textOfHtml(body: string): string {
  const stack: Node[] = [parse(body)]
  let text = ''
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.nodeName === '#text') text += (node as DefaultTreeAdapterTypes.TextNode).value
    if ('attrs' in node) text += spokenOf(node.attrs)
    const isApart = 'tagName' in node && isBlock(node.tagName)
    if (isApart) text += ' '
    if (isApart) stack.push(blank)
    if ('childNodes' in node) stack.push(...node.childNodes.toReversed())
  }
  return text
}

function spokenOf(attributes: DefaultTreeAdapterTypes.Element['attrs']): string {
  const spoken = attributes.filter(({ name }) => ['alt', 'title', 'aria-label'].includes(name))
  return spoken.map(({ value }) => ` ${value} `).join('')
}

function isBlock(tag: string): boolean {
  return !/^(?:span|strong|em|code|a|kbd|del|sup|sub|mark|button)$/.test(tag)
}

/** HTML without icons and without what every block may have. */
export function plain(html: string): string {
  return html
    .replace(/<svg.*?<\/svg>/g, '')
    .replace(/<a class="anchor".*?<\/a>/g, '')
    .replaceAll(' dir="auto"', '')
    .replaceAll(' loading="lazy" decoding="async"', '')
}
