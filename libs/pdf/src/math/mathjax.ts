import { createRequire } from 'node:module'

/** A node of what MathJax draws. */
export interface MathNode {
  kind: string
  attributes: Record<string, string>
  children: MathNode[]
  /** The text of a text node. */
  value?: string
}

/** Turns formulas of TeX into drawings; undefined for a formula that is not understood. */
export type ReadMath = (formula: string, isDisplay: boolean) => MathNode | undefined

/** The part of MathJax that is used; it has no types of its own. */
interface MathJax {
  tex2svg(formula: string, options: { display: boolean }): unknown
  startup: {
    adaptor: {
      kind(node: unknown): string
      allAttributes(node: unknown): { name: string; value: string }[]
      childNodes(node: unknown): unknown[]
      value(node: unknown): string
    }
  }
}

/** Formulas longer than this are shown as they are written. */
const longest = 5_000
/** Packages that load others, name URLs, or put error messages into the drawing. */
const unwanted = ['noerrors', 'noundefined', 'require', 'autoload', 'html']

/** Loads MathJax, once in a thread and only for a book with formulas. */
export async function openMath(): Promise<ReadMath> {
  const require = createRequire(import.meta.url)
  const { init } = require('mathjax') as { init(settings: object): Promise<MathJax> }
  const mathjax = await init({
    loader: { load: ['input/tex-full', 'output/svg'] },
    tex: {
      packages: { '[-]': unwanted },
      maxMacros: 500,
      formatError: (_jax: unknown, error: Error) => {
        throw error
      },
    },
    svg: { fontCache: 'none' },
    startup: { typeset: false },
  })
  const { adaptor } = mathjax.startup
  const read = (node: unknown): MathNode => ({
    kind: adaptor.kind(node),
    attributes: Object.fromEntries(
      adaptor.kind(node).startsWith('#') ? [] : adaptor.allAttributes(node).map(({ name, value }) => [name, value]),
    ),
    children: adaptor.kind(node).startsWith('#') ? [] : adaptor.childNodes(node).map(read),
    ...(adaptor.kind(node) === '#text' && { value: adaptor.value(node) }),
  })
  return (formula, isDisplay) => {
    if (formula.length > longest) return undefined
    try {
      return read(mathjax.tex2svg(formula, { display: isDisplay })).children.find(({ kind }) => kind === 'svg')
    } catch {
      return undefined
    }
  }
}
