import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url)).replaceAll('\\', '/')

/** Apps that list their rooms in `rooms.json`. */
const appsWithRooms = readdirSync(join(root, 'apps')).filter(app => existsSync(join(root, 'apps', app, 'rooms.json')))

const read = new Map()

/** The rooms of an app, lowest first: the owner of each table, and whether one room may import another: itself, and those before it. */
export function roomsOf(app) {
  if (!read.has(app)) {
    const { rooms } = JSON.parse(readFileSync(join(root, 'apps', app, 'rooms.json'), 'utf8'))
    const names = rooms.map(({ name }) => name)
    read.set(app, {
      roomAt: path => names.find(name => path.startsWith(`${name}/`)),
      tables: Object.fromEntries(rooms.flatMap(({ name, tables = [] }) => tables.map(table => [table, name]))),
      mayImport: (from, to) => names.indexOf(to) <= names.indexOf(from),
    })
  }
  return read.get(app)
}

/**
 * The app, the path below its `src` and the room of a source; the room is undefined outside of rooms. Undefined for
 * apps without rooms, for tests, and for helpers of tests.
 */
export function placeOf(path) {
  const [, app, rest] = /\/apps\/([\w-]+)\/src\/(.+)$/.exec(path.replaceAll('\\', '/')) ?? []
  if (!app || !appsWithRooms.includes(app) || /\.test(-d)?\.tsx?$|(^|\/)test\//.test(rest)) return undefined
  return { app, path: rest, room: roomsOf(app).roomAt(rest) }
}
