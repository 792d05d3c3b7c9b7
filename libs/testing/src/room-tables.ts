import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The rooms of a service as `rooms.json` lists them. */
interface Rooms {
  rooms: { name: string; tables?: string[] }[]
}

/** Faults in the ownership of tables: empty when every table has one owner and no other room names it. */
export function tableFaults({ root, tables }: { root: string; tables: string[] }): string[] {
  const { rooms } = JSON.parse(readFileSync(join(root, 'rooms.json'), 'utf8')) as Rooms
  const owners = rooms.flatMap(({ name: room, tables: owned = [] }) => owned.map(table => ({ table, room })))
  const owned = owners.map(({ table }) => table)
  return [
    ...tables.filter(table => !owned.includes(table)).map(table => `${table} has no owner`),
    ...owned.filter((table, at) => owned.indexOf(table) !== at).map(table => `${table} has several owners`),
    ...owned.filter(table => !tables.includes(table)).map(table => `${table} is no table of the database`),
    ...sourcesBelow(join(root, 'src')).flatMap(path => {
      const file = relative(join(root, 'src'), path).replaceAll('\\', '/')
      const foreign = owners.filter(({ room }) => !file.startsWith(`${room}/`))
      const tableNames = tablesNamed(readFileSync(path, 'utf8'))
      return foreign
        .filter(({ table }) => tableNames.has(table))
        .map(({ table, room }) => `${file} names ${table} of ${room}`)
    }),
  ]
}

/** Identifiers that follow an SQL keyword; comments are ignored. */
export function tablesNamed(source: string): Set<string> {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const matches = code.matchAll(/\b(?:from|join|into|update|table|truncate)\s+(?:only\s+)?([a-z_]+)\b/gi)
  return new Set([...matches].map(([, name = '']) => name))
}

/** Source files of rooms, without tests, migrations and the list of entities. */
function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return ['test', 'migrations', 'seed'].includes(entry.name) ? [] : sourcesBelow(path)
    return /(?<!\.test|\.test-d)\.ts$/.test(entry.name) ? [path] : []
  })
}
