import { dirname, resolve } from 'node:path'

/** Visitors that report every import and re-export of a module with a literal name, types included. */
export function visitImports(visit) {
  const check = node => {
    const name = (node.source ?? node.argument?.literal ?? node.argument)?.value
    if (typeof name === 'string') visit(node, name)
  }
  return {
    ImportDeclaration: check,
    ImportExpression: check,
    ExportNamedDeclaration: check,
    ExportAllDeclaration: check,
    TSImportType: check,
  }
}

/** The absolute path of a relative import; undefined for a package. */
export const importedPath = (file, name) => (name.startsWith('.') ? resolve(dirname(file), name) : undefined)

/** Whether an import or re-export disappears when types are removed. */
export function isOnlyTypes(node) {
  if (node.type === 'TSImportType') return true
  if ((node.importKind ?? node.exportKind) === 'type') return true
  const kinds = (node.specifiers ?? []).map(({ importKind, exportKind }) => importKind ?? exportKind)
  return kinds.length > 0 && kinds.every(kind => kind === 'type')
}
