import { basename } from 'node:path'
import { importedPath, visitImports } from './imports.mjs'
import { placeOf, roomsOf } from './rooms.mjs'

const isHandlers = path => path.endsWith('.handlers.ts')

/** Sources that belong to no room: what composes the service, and what writes tables of all rooms. */
const isOutside = path => !path.includes('/') || /^(?:migrations|seed)\//.test(path)

/** Imports between the rooms of a service point downwards in the order of its `rooms.json`, but those of handlers. */
export const roomImports = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      unlisted: '{{path}} is in no room: list its folder in rooms.json',
      handlers: 'only service.ts imports handlers',
      upward: '{{from}} is below {{to}} in rooms.json, and imports only rooms below itself',
      outside: 'a room imports nothing of its service that is in no room: {{path}}',
    },
  },
  create(context) {
    const own = placeOf(context.filename)
    if (!own) return {}
    const { mayImport } = roomsOf(own.app)
    const check = (node, target) => {
      const report = messageId =>
        context.report({ node, messageId, data: { from: own.room, to: target.room, path: target.path } })
      if (isHandlers(target.path) && basename(own.path) !== 'service.ts') return report('handlers')
      if (!own.room) return undefined
      if (!target.room) return report('outside')
      return isHandlers(own.path) || mayImport(own.room, target.room) ? undefined : report('upward')
    }
    return {
      Program(node) {
        if (!own.room && !isOutside(own.path)) context.report({ node, messageId: 'unlisted', data: { path: own.path } })
      },
      ...visitImports((node, name) => {
        const target = placeOf(importedPath(context.filename, name) ?? '')
        if (target?.app === own.app) check(node, target)
      }),
    }
  },
}
