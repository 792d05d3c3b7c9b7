// Tests the rules of lint that are the repository's own: each forbidden line must be refused in the file that it is inserted into.
import { ESLint } from 'eslint'
import { fileURLToPath } from 'node:url'
import { rawWrites } from './raw-writes.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** [file, inserted line, rule that must refuse it] */
const forbidden = [
  ['apps/identity/src/shared/context.ts', "import '../../../content/src/service.ts'", '@nx/enforce-module-boundaries'],
  ['libs/bus/src/wire.ts', "import '@recto/contracts'", '@nx/enforce-module-boundaries'],
  ['libs/operation/src/failure.ts', "import '@recto/bus'", '@nx/enforce-module-boundaries'],
  ['libs/contracts/shared/src/conventions.ts', "import '@recto/database'", '@nx/enforce-module-boundaries'],
  ['libs/git-pack/src/index-pack.ts', "import '@recto/operation'", '@nx/enforce-module-boundaries'],
  ['libs/git-pack/src/index-pack.ts', "import '@recto/testing'", 'no-restricted-imports'],
  ['libs/operation/src/failure.ts', "import 'pg'", 'recto/one-door'],
  ['apps/identity/src/shared/context.ts', "import 'express'", 'recto/one-door'],
  ['apps/content/src/spaces/spaces.handlers.ts', "import 'typeorm'", 'recto/one-door'],
  ['apps/content/src/service.ts', "import '@nats-io/transport-node'", 'recto/one-door'],
  ['apps/content/src/shared/context.ts', "import 'isomorphic-git'", 'recto/one-door'],
  ['apps/content/src/pdf-worker.ts', "import 'pdfkit'", 'recto/one-door'],
  ['apps/git-worker/src/service.ts', "import 'undici'", 'recto/one-door'],
  ['apps/identity/src/shared/context.ts', "import '@node-saml/node-saml'", 'recto/one-door'],
  ['apps/identity/src/users/users.handlers.ts', "import '@xmldom/xmldom'", 'recto/one-door'],
  ['apps/identity/src/oidc/sign-in.ts', "import 'openid-client'", 'recto/one-door'],
  [
    'libs/http/src/routes.ts',
    'export const privately = (value: { _private: number }) => value._private',
    'no-restricted-syntax',
  ],
  ['libs/http/src/routes.ts', "Object.defineProperty(() => 1, 'length', { value: 4 })", 'no-restricted-syntax'],
  // A core library imports nothing of the product.
  ['libs/http/src/routes.ts', "import '@recto/actor'", '@nx/enforce-module-boundaries'],
  // Rooms: imports of a higher room, of handlers, of what is in no room, and sources in no room.
  ['apps/identity/src/users/users.repository.ts', "import '../members/members.rules.ts'", 'recto/room-imports'],
  [
    'apps/identity/src/users/users.policy.ts',
    "import type { Member } from '../members/member.entity.ts'",
    'recto/room-imports',
  ],
  ['apps/identity/src/users/users.policy.ts', "export * from '../members/members.rules.ts'", 'recto/room-imports'],
  ['apps/identity/src/members/members.repository.ts', "import '../database.ts'", 'recto/room-imports'],
  ['apps/identity/src/people/people.repository.ts', 'export const none = 0', 'recto/room-imports'],
  ['apps/identity/src/saml/sign-in.ts', "import '../users/users.handlers.ts'", 'recto/room-imports'],
  ['apps/identity/src/main.ts', "import './users/users.handlers.ts'", 'recto/room-imports'],
  ['apps/identity/src/users/users.handlers.ts', "import '../members/members.handlers.ts'", 'recto/room-imports'],
  ['apps/content/src/access/access.policy.ts', "import '../spaces/spaces.policy.ts'", 'recto/room-imports'],
  ['apps/content/src/git/git.handlers.ts', "import '../spaces/spaces.handlers.ts'", 'recto/room-imports'],
  // Tables of another room, and tables in what is no repository.
  ['apps/content/src/access/access.policy.ts', "export const sql = 'select id from spaces'", 'recto/table-owner'],
  ['apps/content/src/spaces/spaces.rules.ts', "export const sql = 'delete from grants'", 'recto/table-owner'],
  [
    'apps/content/src/spaces/spaces.handlers.ts',
    "export const sql = 'delete from git_operations'",
    'recto/table-owner',
  ],
  [
    'apps/identity/src/invites/pending-invites.repository.ts',
    "export const sql = 'select id from users'",
    'recto/table-owner',
  ],
  [
    'apps/identity/src/invites/pending-invites.repository.ts',
    "import { UserEntity } from '../users/user.entity.ts'",
    'recto/table-owner',
  ],
  ['apps/identity/src/users/users.rules.ts', "export const sql = 'select id from users'", 'recto/table-owner'],
  // Names of tables that are arguments.
  [
    'apps/content/src/access/grants.sql.ts',
    'export const readerOf = (table: string) => `select id from ${table} where id = $1`',
    'recto/table-owner',
  ],
  [
    'apps/content/src/access/grants.sql.ts',
    'export const walkOf = ({ tables }) => `select up.id from up join ${tables.collections} c on c.id = up.parent`',
    'recto/table-owner',
  ],
  [
    'apps/content/src/resources/trash.repository.ts',
    'export function trash(source) {\n  const { table } = source\n  return `update ${table} set deleted_at = now()`\n}',
    'recto/table-owner',
  ],
  // Rules and policies that read or write.
  ['apps/identity/src/users/users.policy.ts', "import { get } from './users.repository.ts'", 'recto/pure'],
  ['apps/identity/src/users/users.policy.ts', "import { UserEntity } from './user.entity.ts'", 'recto/pure'],
  ['apps/identity/src/users/users.policy.ts', "import { open } from '../shared/context.ts'", 'recto/pure'],
  ['apps/identity/src/users/tokens.rules.ts', "import { readFile } from 'node:fs/promises'", 'recto/pure'],
  ['apps/identity/src/users/tokens.rules.ts', "export { query } from '@recto/database'", 'recto/pure'],
  // Folders and files that import each other.
  ['apps/identity/src/users/users.repository.ts', "import '../members/members.rules.ts'", 'recto/no-folder-cycle'],
  ['libs/contracts/shared/src/rights.ts', "import '@recto/contracts-identity'", '@nx/enforce-module-boundaries'],
  ['apps/identity/src/main.ts', "import '@recto/contracts-content'", '@nx/enforce-module-boundaries'],
  ['apps/content/src/main.ts', "import '@recto/contracts'", '@nx/enforce-module-boundaries'],
  ['libs/http/src/routes.ts', "import './gateway.ts'", 'recto/no-file-cycle'],
  ['libs/http/src/routes.ts', "import type { Server } from './gateway.ts'", 'recto/no-file-cycle'],
  ['libs/http/src/routes.ts', "export type Server = import('./gateway.ts').Server", 'recto/no-file-cycle'],
  ['apps/content/src/service.ts', "import '@recto/testing'", 'no-restricted-imports'],
  ['apps/content/src/service.ts', 'export const home = process.env.HOME', 'no-restricted-syntax'],
  ['apps/content/src/service.ts', 'export enum Color { Red }', 'no-restricted-syntax'],
  // Literals that are packed for the formatter.
  ['libs/http/src/routes.ts', 'export const all = { ...{ a: 1, b: 2 }, c: 3 }', 'recto/plain-literals'],
  ['libs/http/src/routes.ts', "export const all = [...['a', 'b'], 'c']", 'recto/plain-literals'],
  ['libs/http/src/routes.ts', "export const all = [...(['a', 'b'] as const), 'c']", 'recto/plain-literals'],
  ['libs/http/src/routes.ts', 'Math.max(...[1, 2])', 'recto/plain-literals'],
  ['apps/reader/src/layout/page.tsx', 'export const link = <a {...{ href, title }} />', 'recto/plain-literals'],
  ['libs/http/src/routes.ts', 'const [a, b] = [1, 2]', 'recto/plain-literals'],
  ['libs/http/src/routes.ts', 'let [a, b]: number[] = []', 'recto/plain-literals'],
  ['libs/http/src/routes.ts', '[a, b] = [1, 2]', 'recto/plain-literals'],
  // Participles as names.
  ['libs/http/src/routes.ts', 'const found = 1', 'recto/no-participles'],
  ['libs/http/src/routes.ts', 'export const first = ([given]: number[]) => given', 'recto/no-participles'],
  ['libs/http/src/routes.ts', 'const { data: shown } = reply', 'recto/no-participles'],
  ['apps/reader/src/browser/tabs.ts', 'function opened() {}', 'recto/no-participles'],
]

/** [file, inserted line, rule that lets it pass] */
const allowed = [
  ['libs/http/src/routes.ts', 'export const all = { ...rest, ...(rest.b && { c: rest.b }) }', 'recto/plain-literals'],
  ['libs/http/src/routes.ts', 'export const all = [...list, ...[1, 2].map(String)]', 'recto/plain-literals'],
  ['libs/http/src/routes.ts', 'const [first, ...others] = [...before, 1]', 'recto/plain-literals'],
  ['libs/http/src/routes.ts', "const [first, second] = 'a b'.split(' ')", 'recto/plain-literals'],
  ['libs/http/src/routes.ts', '[a, b] = [b, a]', 'recto/plain-literals'],
  ['libs/http/src/routes.ts', 'const { found, known = 1 } = reply', 'recto/no-participles'],
  ['libs/http/src/routes.ts', 'export const row = { given: 1 }', 'recto/no-participles'],
]

/** SQL that writes in an unlisted function, which `scripts/raw-writes.mjs` must refuse. */
const sqlThatWrites = [
  'insert into spaces (id) values ($1)',
  'UPDATE spaces SET title = $1',
  'update spaces s\n    set title = $1',
  'update ${table} set title = $1',
  'with gone as (delete from spaces returning id) select id from gone',
  'truncate spaces',
]

const rules = new Set(forbidden.map(([, , rule]) => rule))
const eslint = new ESLint({
  cwd: root,
  ruleFilter: ({ ruleId }) => rules.has(ruleId),
  // None of these rules reads types.
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
})
const faults = []
const refuses = async (file, line, rule) => {
  const [result] = await eslint.lintText(`${line}\n`, { filePath: `${root}${file}` })
  return result.messages.some(message => message.ruleId === rule && message.severity === 2)
}
for (const [file, line, rule] of forbidden)
  if (!(await refuses(file, line, rule))) faults.push(`${file}: ${rule} lets pass: ${line}`)
for (const [file, line, rule] of allowed)
  if (await refuses(file, line, rule)) faults.push(`${file}: ${rule} refuses: ${line}`)
for (const sql of sqlThatWrites) {
  const source = `export async function write(db) {\n  await query(db, \`${sql}\`)\n}\n`
  if (!rawWrites(['any.repository.ts'], () => source).some(fault => fault.startsWith('any.repository.ts write ')))
    faults.push(`scripts/raw-writes.mjs lets pass: ${sql}`)
}
for (const fault of faults) console.error(fault)
console.log(
  faults.length === 0
    ? `${forbidden.length + sqlThatWrites.length} forbidden lines are refused.`
    : `${faults.length} faults`,
)
process.exitCode = faults.length === 0 ? 0 : 1
