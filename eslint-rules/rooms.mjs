import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url)).replaceAll('\\', '/')

/** Apps that say in `rooms.json` which rooms they have. */
export const appsWithRooms = readdirSync(join(root, 'apps')).filter(app =>
  existsSync(join(root, 'apps', app, 'rooms.json')),
)

const read = new Map()

/** The rooms of an app: what each may import, and the owner of each table. */
export function roomsOf(app) {
  if (!read.has(app)) {
    const { rooms } = JSON.parse(readFileSync(join(root, 'apps', app, 'rooms.json'), 'utf8'))
    const tables = Object.entries(rooms).flatMap(([room, { tables = [] }]) => ownersOf(room, tables))
    read.set(app, { rooms, tables: Object.fromEntries(tables) })
  }
  return read.get(app)
}

/** Tables of a room with their owner; where folders are kept apart each has its own. */
function ownersOf(room, tables) {
  if (Array.isArray(tables)) return tables.map(table => [table, room])
  return Object.entries(tables).flatMap(([folder, own]) => ownersOf(`${room}/${folder}`, own))
}

/** The app and room that a source belongs to; where folders are kept apart each is a room; undefined outside of rooms, for tests and for what only they import. */
export function roomOf(path) {
  const [, app, rest] = /\/apps\/([\w-]+)\/src\/(.+)$/.exec(path.replaceAll('\\', '/')) ?? []
  if (!app || !appsWithRooms.includes(app) || /\.test(-d)?\.tsx?$|(^|\/)test\//.test(rest)) return undefined
  const [top, folder] = rest.split('/')
  const room = roomsOf(app).rooms[top]
  return room && { app, room: room.apart ? `${top}/${folder}` : top }
}

/** The rooms as elements of eslint-plugin-boundaries, and what each may depend on. */
export function rooms() {
  const elements = []
  const policies = []
  for (const app of appsWithRooms) {
    const { rooms } = roomsOf(app)
    const type = room => `${app}/${room}`
    for (const [room, { imports, apart = false }] of Object.entries(rooms)) {
      // Rooms whose folders are kept apart are an element for each folder: these never import each other.
      const pattern = `apps/${app}/src/${room}${apart ? '/*' : ''}`
      elements.push({ type: type(room), pattern })
      const types = imports.map(type)
      if (types.length > 0)
        policies.push({
          from: { element: { type: type(room) } },
          allow: { to: { element: { types: { anyOf: types } } } },
        })
    }
  }
  return { elements, policies }
}
