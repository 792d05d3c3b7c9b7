import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from '@jest/globals'
import { tableFaults, tablesNamed } from './room-tables.ts'

const roots: string[] = []
afterEach(() => roots.splice(0).forEach(root => rmSync(root, { recursive: true })))

function aService(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'recto-rooms-'))
  roots.push(root)
  const rooms = [
    { name: 'store', tables: ['nodes'] },
    { name: 'spaces', tables: ['spaces'] },
  ]
  for (const [path, text] of Object.entries({ 'rooms.json': JSON.stringify({ rooms }), ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

describe('the owners of tables', () => {
  it('name their own tables', () => {
    const root = aService({
      'src/store/nodes.repository.ts': "const sql = 'select id from nodes'",
      'src/spaces/spaces.repository.ts': '// from nodes\nconst sql = `update spaces set title = $1`',
      'src/spaces/spaces.test.ts': "const sql = 'select id from nodes'",
    })
    expect(tableFaults({ root, tables: ['nodes', 'spaces'] })).toEqual([])
  })

  it('do not name those of other rooms', () => {
    const root = aService({
      'src/store/nodes.repository.ts': 'const sql = `select 1 from nodes n\n join spaces s on s.node = n.id`',
    })
    expect(tableFaults({ root, tables: ['nodes', 'spaces'] })).toEqual([
      'store/nodes.repository.ts names spaces of spaces',
    ])
  })

  it('are one for each table, and for no other', () => {
    const root = aService({ 'src/store/nothing.ts': '' })
    expect(tableFaults({ root, tables: ['spaces', 'grants'] })).toEqual([
      'grants has no owner',
      'nodes is no table of the database',
    ])
  })
})

it('a table is named behind the keywords of SQL', () => {
  const sql = 'insert into a (x) select 1 from only b join c on true; update d set x = 1; delete from e; truncate f'
  expect([...tablesNamed(`const sql = '${sql}'`)]).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})
