import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url)).replaceAll('\\', '/')

/** Apps that list their rooms in `rooms.json`. */
const appsWithRooms = readdirSync(join(root, 'apps')).filter(app => existsSync(join(root, 'apps', app, 'rooms.json')))

const read = new Map()

/** The rooms of an app: the owner of each table, and whether one room may import another. */
export function roomsOf(app) {
  if (!read.has(app)) {
    const { rooms } = JSON.parse(readFileSync(join(root, 'apps', app, 'rooms.json'), 'utf8'))
    read.set(app, Array.isArray(rooms) ? orderedRooms(rooms) : roomsWithImports(rooms))
  }
  return read.get(app)
}

/** A list of rooms, lowest first: each imports itself and those before it. */
function orderedRooms(rooms) {
  const names = rooms.map(({ name }) => name)
  return {
    isOrdered: true,
    roomAt: path => names.find(name => path.startsWith(`${name}/`)),
    tables: Object.fromEntries(rooms.flatMap(({ name, tables = [] }) => tables.map(table => [table, name]))),
    mayImport: (from, to) => names.indexOf(to) <= names.indexOf(from),
  }
}

/** The form of `rooms.json` that apps/content still has: each room names the rooms it imports, and folders can be kept apart. */
function roomsWithImports(rooms) {
  const owners = (room, tables) =>
    Array.isArray(tables)
      ? tables.map(table => [table, room])
      : Object.entries(tables).flatMap(([folder, own]) => owners(`${room}/${folder}`, own))
  return {
    isOrdered: false,
    roomAt(path) {
      const [top, folder] = path.split('/')
      return rooms[top] && (rooms[top].apart ? `${top}/${folder}` : top)
    },
    tables: Object.fromEntries(Object.entries(rooms).flatMap(([room, { tables = [] }]) => owners(room, tables))),
    mayImport: (from, to) => from === to || rooms[from.split('/')[0]].imports.includes(to.split('/')[0]),
  }
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
