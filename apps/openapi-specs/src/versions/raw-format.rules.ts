import type { RawFormat } from './version.entity.ts'

/** The format of the text of a specification: one that begins as JSON is read as JSON, any other as YAML. */
export function rawFormatOf(text: string): RawFormat {
  return /^\s*[{[]/.test(text) ? 'json' : 'yaml'
}
