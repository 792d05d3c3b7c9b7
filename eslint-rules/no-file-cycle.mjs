import { relative } from 'node:path'
import { graphOf, shortestPath, sourceRoot } from './import-graph.mjs'
import { importedPath, visitImports } from './imports.mjs'

/** Two files of a project do not import each other, neither directly nor by way of others, not even for types. */
export const noFileCycle = {
  meta: { type: 'problem', schema: [], messages: { cycle: 'files import each other: {{cycle}}' } },
  create(context) {
    const file = context.filename
    const root = sourceRoot(file)
    if (!root) return {}
    return visitImports((node, name) => {
      const target = importedPath(file, name)
      if (!target?.startsWith(root) || target === file) return
      const graph = graphOf(root)
      const path = shortestPath(from => graph.get(from) ?? [], target, file)
      if (!path) return
      const cycle = [file, ...path].map(step => relative(root, step)).join(' -> ')
      context.report({ node, messageId: 'cycle', data: { cycle } })
    })
  },
}
