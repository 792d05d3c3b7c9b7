import { frontMatterLimits } from './limits.ts'
import type { PageWarning } from './warning.ts'
import { cleanedTextWarnings, parseYaml } from './yaml.ts'

/** Values that content can refer to, by name. */
export type PageVariables = Record<string, string | number | boolean>

/** Variables that can be used, and a warning for each that is left out. */
export interface ReadVariables {
  variables: PageVariables
  warnings: PageWarning[]
}

/** Reads `.gitbook/vars.yaml`; names and values that cannot be used are left out with a warning. */
export function readVariables(text: string, path: string): ReadVariables {
  const yaml = parseYaml(text)
  if (!yaml.ok)
    return {
      variables: {},
      warnings: [{ path, message: `The variables cannot be read: ${yaml.message}`, line: yaml.line }],
    }
  if (yaml.value === null || yaml.value === undefined) return { variables: {}, warnings: [] }
  if (typeof yaml.value !== 'object' || Array.isArray(yaml.value))
    return { variables: {}, warnings: [{ path, message: 'The variables are not a map', line: 1 }] }
  const { variables, warnings } = usableVariables(yaml.value, { path, lineOf: name => yaml.lineOf([name]) })
  return { variables, warnings: [...cleanedTextWarnings(yaml, path), ...warnings] }
}

/** Reads the usable variables of a map. `lineOf` returns the line of a name in the file at `path`. */
export function usableVariables(
  map: object,
  { path, lineOf }: { path: string; lineOf(name: string): number | undefined },
): ReadVariables {
  const read: ReadVariables = { variables: {}, warnings: [] }
  for (const [name, value] of Object.entries(map)) {
    const fault = invalidReason(name, value)
    const line = lineOf(name)
    if (fault === undefined) read.variables[name] = value as string | number | boolean
    else
      read.warnings.push({
        path,
        message: `The variable ${name} is left out: ${fault}`,
        ...(line !== undefined && { line }),
      })
  }
  return read
}

function invalidReason(name: string, value: unknown): string | undefined {
  if (!/^[a-z]\w*$/i.test(name)) return 'a name starts with a letter and has letters, digits and underscores'
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number must be finite'
  if (typeof value === 'string' && Array.from(value).length > frontMatterLimits.variable)
    return `a text has at most ${frontMatterLimits.variable} characters`
  return ['string', 'number', 'boolean'].includes(typeof value) ? undefined : 'a value is text, a number or a boolean'
}
