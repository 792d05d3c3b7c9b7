import { dependsOn, meetsCondition, textOfExpression } from '@recto/expressions'
import { block, textNode } from '../document/nodes.ts'
import type { DocumentBlock, DocumentFragment, DocumentNode, DocumentText, JSONDocument } from '../document/schema.ts'

/** The values that the expressions of a page can name; without `visitor`, what depends on the visitor stays an expression. */
export interface EvaluationScope {
  space: { vars: Record<string, unknown> }
  page: { vars: Record<string, unknown> }
  visitor?: { claims: Record<string, unknown> }
}

/** How the expressions of a document are evaluated. */
export interface Evaluation {
  scope: EvaluationScope
}

/** Whether a document holds an expression or a condition. */
export function hasExpressions(document: JSONDocument): boolean {
  return document.nodes.some(holdsExpression)
}

function holdsExpression(node: DocumentNode | DocumentFragment): boolean {
  if (node.object === 'text') return false
  if (node.object !== 'fragment' && (node.type === 'expression' || node.type === 'if')) return true
  const fragments = node.object === 'fragment' ? [] : (node.fragments ?? [])
  return (node.nodes ?? []).some(holdsExpression) || fragments.some(holdsExpression)
}

/**
 * A document with the text of its expressions in their place, and with what its conditions show. One that cannot be evaluated shows
 * nothing.
 */
export function evaluateDocument(document: JSONDocument, { scope }: Evaluation): JSONDocument {
  return { ...document, nodes: evaluated(document.nodes, scope) as DocumentBlock[] }
}

function evaluated(nodes: readonly DocumentNode[], scope: EvaluationScope): DocumentNode[] {
  const result: DocumentNode[] = []
  for (const node of nodes) {
    const expression = expressionOf(node, scope)
    if (expression === undefined) addNode(result, withEvaluatedParts(node, scope))
    else if (node.object === 'inline') addNode(result, shownText(node, textOfExpression(expression, { ...scope })))
    else if (node.object === 'block' && meetsCondition(expression, { ...scope }))
      result.push(...evaluated(node.nodes ?? [], scope))
  }
  return result
}

/** The expression whose result replaces the node; undefined for other nodes. */
function expressionOf(node: DocumentNode, scope: EvaluationScope): string | undefined {
  if (node.object === 'text' || (node.type !== 'expression' && node.type !== 'if')) return undefined
  const expression = String(node.data?.['expression'] ?? '')
  return scope.visitor === undefined && dependsOn(expression, 'visitor') ? undefined : expression
}

function shownText({ key }: { key?: string | undefined }, text: string): DocumentText {
  return { ...textNode(text), ...(key !== undefined && { key }) }
}

/** Text follows text as one node of several leaves. */
function addNode(nodes: DocumentNode[], node: DocumentNode): void {
  const last = nodes.at(-1)
  if (node.object !== 'text' || last?.object !== 'text') nodes.push(node)
  else nodes[nodes.length - 1] = { ...last, leaves: [...last.leaves, ...node.leaves] }
}

function withEvaluatedParts(node: DocumentNode, scope: EvaluationScope): DocumentNode {
  if (node.object === 'text') return node
  const { nodes, fragments } = node
  return {
    ...node,
    ...(nodes && { nodes: filled(evaluated(nodes, scope), nodes) }),
    ...(fragments && {
      fragments: fragments.map(part => ({
        ...part,
        nodes: filled(evaluated(part.nodes, scope), part.nodes) as DocumentBlock[],
      })),
    }),
  } as DocumentNode
}

/** Puts an empty paragraph into a container of blocks when none of them is shown. */
function filled(nodes: DocumentNode[], before: readonly DocumentNode[]): DocumentNode[] {
  const held = before[0]?.object === 'block'
  return nodes.length === 0 && held ? [block('paragraph', { nodes: [textNode('')] })] : nodes
}
