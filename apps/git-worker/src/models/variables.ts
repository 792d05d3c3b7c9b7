import type { Manifest } from './import-set.ts'
import type { Warning } from './import-failure.ts'
import { parseYaml } from './yaml.ts'

/** Reads `.gitbook/vars.yaml`; names and values that cannot be used are left out with a warning. */
export function readVariables(text: string, path: string): { variables: Manifest['variables']; warnings: Warning[] } {
  const yaml = parseYaml(text)
  if (!yaml.ok) return { variables: {}, warnings: [{ path, message: `The variables cannot be read: ${yaml.message}`, line: yaml.line }] }
  if (yaml.value === null || yaml.value === undefined) return { variables: {}, warnings: [] }
  if (typeof yaml.value !== 'object' || Array.isArray(yaml.value)) return { variables: {}, warnings: [{ path, message: 'The variables are not a map', line: 1 }] }
  const entries = Object.entries(yaml.value)
  const usable = ([name, value]: [string, unknown]) => /^[a-z]\w*$/i.test(name) && ['string', 'number', 'boolean'].includes(typeof value)
  const warnings = entries.filter(entry => !usable(entry)).map(([name]) => {
    const line = yaml.lineOf([name])
    return { path, message: `The variable ${name} is left out: a name has letters, digits and underscores, a value is text, a number or a boolean`, ...(line !== undefined && { line }) }
  })
  return { variables: Object.fromEntries(entries.filter(usable)) as Manifest['variables'], warnings }
}
