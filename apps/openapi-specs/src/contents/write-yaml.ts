import { stringify } from 'yaml'

/** Writes JSON as YAML. Runs in a worker thread. */
export function writeYaml(json: Uint8Array): string {
  const document: unknown = JSON.parse(Buffer.from(json).toString())
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })
}
