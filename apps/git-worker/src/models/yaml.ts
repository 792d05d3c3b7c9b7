import { isNode, LineCounter, parseDocument } from 'yaml'

/** What a YAML text holds, or what is wrong with it; lines count from 1 in the file. */
export type ParsedYaml =
  | { ok: true; value: unknown; lineOf(path: readonly PropertyKey[]): number | undefined }
  | { ok: false; message: string; line: number }

/** Parses YAML that stands at `firstLine` of its file. */
export function parseYaml(text: string, firstLine = 1): ParsedYaml {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' })
  const lineAt = (offset: number) => lines.linePos(offset).line + firstLine - 1
  const [error] = document.errors
  if (error) return { ok: false, message: error.message, line: lineAt(error.pos[0]) }
  try {
    return {
      ok: true,
      value: document.toJS({ maxAliasCount: 50 }) as unknown,
      lineOf(path) {
        const node = document.getIn(path, true)
        return isNode(node) && node.range ? lineAt(node.range[0]) : undefined
      },
    }
  } catch {
    return { ok: false, message: 'it repeats itself too often', line: firstLine }
  }
}
