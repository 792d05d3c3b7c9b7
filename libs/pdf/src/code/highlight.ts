import type { createLowlight } from 'lowlight'

/** A part of a line of code. */
export interface Token {
  text: string
  color?: string
  bold?: boolean
}

/** Colours code by its language. */
export interface Highlighter {
  /** The lines of code; plain for a language that is not known, and for long code. */
  lines(code: string, language: string | undefined): Token[][]
}

type Lowlight = ReturnType<typeof createLowlight>
type Node = ReturnType<Lowlight['highlight']>['children'][number]

/** Characters of code that is coloured. */
const longest = 30_000

/** Colours by class of a token, of which the last part decides. */
const palette: Record<string, string> = {
  keyword: '#be185d',
  built_in: '#7c3aed',
  type: '#7c3aed',
  literal: '#0369a1',
  number: '#0369a1',
  string: '#047857',
  regexp: '#047857',
  symbol: '#0369a1',
  variable: '#b45309',
  'template-variable': '#b45309',
  attr: '#0e7490',
  attribute: '#0e7490',
  title: '#1d4ed8',
  section: '#1d4ed8',
  name: '#1d4ed8',
  tag: '#1d4ed8',
  'selector-class': '#1d4ed8',
  'selector-tag': '#be185d',
  property: '#0e7490',
  meta: '#64748b',
  comment: '#64748b',
  quote: '#64748b',
  addition: '#15803d',
  deletion: '#b91c1c',
}

/** Opens the highlighter; its grammars are read once in a thread. */
export async function openHighlighter(): Promise<Highlighter> {
  const { all, createLowlight } = await import('lowlight')
  const lowlight = createLowlight(all)
  return { lines: (code, language) => linesOf(tokensOf(code, language, lowlight)) }
}

function tokensOf(code: string, language: string | undefined, lowlight: Lowlight): Token[] {
  const name = /^[\w+#.-]+/.exec(language ?? '')?.[0].toLowerCase()
  if (name === undefined || code.length > longest || !lowlight.registered(name)) return [{ text: code }]
  return lowlight.highlight(name, code).children.flatMap(node => nodeTokens(node, {}))
}

function nodeTokens(node: Node, inherited: Omit<Token, 'text'>): Token[] {
  if (node.type === 'text') return [{ text: node.value, ...inherited }]
  if (node.type !== 'element') return []
  const classes = (node.properties['className'] ?? []) as string[]
  const color = classes.map(name => palette[name.replace('hljs-', '')]).find(value => value !== undefined)
  const own = color === undefined ? inherited : { color }
  return node.children.flatMap(child => nodeTokens(child as Node, own))
}

function linesOf(tokens: readonly Token[]): Token[][] {
  const lines: Token[][] = [[]]
  for (const { text, ...look } of tokens) {
    for (const [at, part] of text.split('\n').entries()) {
      if (at > 0) lines.push([])
      if (part !== '') lines.at(-1)?.push({ text: part, ...look })
    }
  }
  return lines
}
