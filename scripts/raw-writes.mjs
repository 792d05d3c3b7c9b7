// The functions whose SQL writes to a table without the entity manager, and why (docs/decisions/0004).
import ts from 'typescript'

const skipsLocked = 'picks rows with "for update skip locked"'
const computed = 'each row is computed from what the row holds'
const fromSelect = 'its rows come from a select'
const thousands = 'thousands of rows, as arrays: with a placeholder for each value it takes twice as long'

const allowed = {
  'libs/database/src/idempotency.ts': { take: 'the update depends on what the conflicting row holds' },
  'libs/database/src/outbox.ts': {
    takeDue: skipsLocked,
    acknowledge: computed,
    enqueueAll: 'writes and notifies in one statement, in nearly every transaction',
    handleOnce: 'takes the lock and writes the row in one statement, once for each message',
  },
  'libs/database/src/records.ts': { count: computed },
  'apps/content/src/content-store/content.repository.ts': { insertNodes: thousands, insertDocuments: thousands },
  'apps/content/src/links/references.repository.ts': {
    saveReferences: thousands,
    insertAnchors: thousands,
    checkAnchors: 'joins another table',
  },
  'apps/content/src/search/search-index.repository.ts': {
    saveNames: thousands,
    savePages: thousands,
    insertSections: thousands,
    savePlaces: thousands,
  },
  'apps/content/src/search/vocabulary.repository.ts': {
    addToUses: thousands,
  },
  'apps/content/src/change-requests/contributors.repository.ts': { countContribution: computed },
  'apps/content/src/comments/counts.repository.ts': { repairComment: computed },
  'apps/content/src/revisions/revisions.repository.ts': {
    deleteRevisions: 'resolves to the roots of what it deletes, each once',
  },
  'apps/content/src/repositories/repository-work.repository.ts': {
    hold: 'the update depends on what the conflicting row holds',
  },
  'apps/content/src/ask/ask.repository.ts': {
    lockUse: 'the update depends on what the conflicting row holds',
    insertTurn: computed,
    endTurn: computed,
  },
  'apps/content/src/uploads/uploads.repository.ts': { release: computed, deleteExpired: skipsLocked },
  'apps/content/src/pdf/pdfs.repository.ts': { deleteExpired: skipsLocked },
  'apps/content/src/garbage/garbage.repository.ts': {
    markGarbage: fromSelect,
  },
  'apps/events/src/record/events.repository.ts': {
    appendStatement: 'writes to three tables in one statement, once for each event',
  },
  'apps/git-worker/src/operations/git-operations.repository.ts': { insertColumns: fromSelect },
  'apps/git-worker/src/syncs/git-syncs.repository.ts': { insertColumns: fromSelect },
  'apps/publishing/src/insights/insights-counters.repository.ts': {
    addCounts: thousands,
    deleteBefore: skipsLocked,
    deleteOfSite: skipsLocked,
  },
  'apps/publishing/src/purges/edge-purges.repository.ts': {
    requestEdgePurge: fromSelect,
    markTaken: skipsLocked,
  },
  'apps/publishing/src/purges/purges.repository.ts': {
    requestPurge: 'rows are written in the order of their keys',
    markPurged: skipsLocked,
    giveUp: skipsLocked,
  },
  'apps/identity/src/invites/pending-invites.repository.ts': {
    upsertInvites: 'the conflict is on an expression',
    upsertTeamInvites: fromSelect,
    withdrawTeamInvites: 'joins another table',
  },
  'apps/identity/src/members/resolve-token.repository.ts': {
    recordTokenUse: 'writes to two tables in one statement, once for each request',
  },
  'apps/identity/src/grants/clients.repository.ts': { removeUnused: skipsLocked },
  'apps/identity/src/grants/grants.repository.ts': { insert: skipsLocked },
  'apps/identity/src/oauth/artifacts.repository.ts': { save: skipsLocked },
  'apps/identity/src/oauth/sessions.repository.ts': { insert: skipsLocked },
  'apps/identity/src/oidc/sign-ins.repository.ts': { insert: skipsLocked, insertLogout: skipsLocked },
  'apps/identity/src/saml/sign-ins.repository.ts': { insertRequest: skipsLocked, insertAssertion: skipsLocked },
  'apps/identity/src/seed/seed.repository.ts': { insertMembers: fromSelect, insertTeams: fromSelect },
  'apps/identity/src/users/tokens.repository.ts': { touchTokenSql: 'is a part of the statement of recordTokenUse' },
  'libs/testing/src/organizations/template-rows.ts': { insert: 'copies rows of any table' },
}

const writes = /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate|update\s+\S+(?:\s+(?:as\s+)?\w+)?\s+set)\b/i

/** Top-level functions and constants of a source file with an SQL string that writes to a table. */
function writersIn(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const holds = node =>
    (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) ? writes.test(node.getText(source)) : false) ||
    ts.forEachChild(node, holds) === true
  const nameOf = statement =>
    (ts.isVariableStatement(statement) ? statement.declarationList.declarations[0] : statement).name?.text ??
    'the module'
  return source.statements.filter(holds).map(nameOf)
}

/** Faults in these source files: writing SQL in unlisted functions, and listed functions without writing SQL. */
export function rawWrites(paths, read) {
  const found = paths.flatMap(path => writersIn(path, read(path)).map(name => `${path} ${name}`))
  const listed = Object.entries(allowed).flatMap(([path, functions]) =>
    Object.keys(functions).map(name => `${path} ${name}`),
  )
  return [
    ...found
      .filter(writer => !listed.includes(writer))
      .map(
        writer =>
          `${writer} writes with SQL: use the entity manager, or list it with its reason in scripts/raw-writes.mjs`,
      ),
    ...listed
      .filter(writer => !found.includes(writer))
      .map(writer => `${writer} writes with no SQL, and is listed in scripts/raw-writes.mjs`),
  ]
}
