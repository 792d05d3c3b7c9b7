import { dirname, relative } from 'node:path'
import { graphOf, shortestPath, sourceRoot } from './import-graph.mjs'
import { importedPath, visitImports } from './imports.mjs'

/** Handlers import any room and are imported by no folder of rooms, so they close no cycle. */
const isHandlers = path => path.endsWith('.handlers.ts')

/** The folders that each folder of a `src` folder imports from, handlers aside; made once per run of ESLint. */
const folderGraphs = new Map()
function folderGraphOf(root) {
  if (!folderGraphs.has(root)) {
    const folders = new Map()
    for (const [file, imported] of graphOf(root)) {
      if (isHandlers(file)) continue
      const own = folders.get(dirname(file)) ?? new Set()
      for (const path of imported) own.add(dirname(path))
      folders.set(dirname(file), own)
    }
    folderGraphs.set(root, folders)
  }
  return folderGraphs.get(root)
}

/** Two folders of a project do not import each other, neither directly nor by way of others. */
export const noFolderCycle = {
  meta: { type: 'problem', schema: [], messages: { cycle: 'folders import each other: {{cycle}}' } },
  create(context) {
    const file = context.filename
    const root = sourceRoot(file)
    if (!root || isHandlers(file)) return {}
    const own = dirname(file)
    return visitImports((node, name) => {
      const target = dirname(importedPath(file, name) ?? file)
      if (target === own || !target.startsWith(root)) return
      const graph = folderGraphOf(root)
      const path = shortestPath(from => graph.get(from) ?? [], target, own)
      if (!path) return
      const cycle = [own, ...path].map(folder => relative(root, folder) || '.').join(' -> ')
      context.report({ node, messageId: 'cycle', data: { cycle } })
    })
  },
}
