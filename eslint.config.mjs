import nx from '@nx/eslint-plugin'
import tseslint from 'typescript-eslint'
import { noFileCycle } from './eslint-rules/no-file-cycle.mjs'
import { noFolderCycle } from './eslint-rules/no-folder-cycle.mjs'
import { noParticiples } from './eslint-rules/no-participles.mjs'
import { oneDoor } from './eslint-rules/one-door.mjs'
import { plainLiterals } from './eslint-rules/plain-literals.mjs'
import { pure } from './eslint-rules/pure.mjs'
import { roomImports } from './eslint-rules/room-imports.mjs'
import { tableOwner } from './eslint-rules/table-owner.mjs'

/** The environment is read in config.ts and nowhere else. */
const environmentInConfig = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'process.env is read in config.ts only',
}
const noEnums = { selector: 'TSEnumDeclaration', message: 'use a union of literals or a zod enum' }
const noExit = {
  selector: "CallExpression[callee.object.name='process'][callee.property.name='exit']",
  message: 'stop is drain, then an empty event loop',
}

const noPrivates = [
  {
    selector: 'MemberExpression[computed=false][property.name=/^_(?!zod$)[a-zA-Z]/]',
    message: 'fields that begin with _ are private to their library: see docs/decisions/0061-libraries.md',
  },
  {
    selector: "AssignmentExpression > MemberExpression.left[object.property.name='prototype']",
    message: 'a prototype of a library is not changed: see docs/decisions/0061-libraries.md',
  },
  {
    selector: "CallExpression[callee.property.name='defineProperty'] > Literal[value=/^(?:length|name|prototype)$/]",
    message: 'a function is what it says: see docs/decisions/0061-libraries.md',
  },
]

const noOwnLimit = {
  selector:
    ':matches(CallExpression[callee.name=/^(it|test|(before|after)(All|Each))$/], CallExpression[callee.callee.property.name="each"]) > Literal.arguments:last-child[raw=/^[0-9]/]',
  message: 'a test has no limit of its own: see docs/decisions/0020-jest.md',
}

/** Tags of the rows of all services but these, and of the contract as a whole. */
const rowsOfOthers = (...own) =>
  ['identity', 'content', 'publishing', 'openapi-specs', 'git-worker', 'events', 'all']
    .filter(service => !own.includes(service))
    .map(service => `contract:${service}`)

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.nx/**', '.data/**'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: {
      '@nx': nx,
      recto: {
        rules: {
          'one-door': oneDoor,
          'room-imports': roomImports,
          'table-owner': tableOwner,
          pure,
          'no-folder-cycle': noFolderCycle,
          'no-file-cycle': noFileCycle,
          'plain-literals': plainLiterals,
          'no-participles': noParticiples,
        },
      },
    },
    rules: {
      'recto/one-door': 'error',
      'recto/room-imports': 'error',
      'recto/table-owner': 'error',
      'recto/pure': 'error',
      'recto/no-folder-cycle': 'error',
      'recto/no-file-cycle': 'error',
      'recto/plain-literals': 'error',
      'recto/no-participles': 'error',
      'no-restricted-syntax': ['error', environmentInConfig, noEnums, noExit, ...noPrivates],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 3],
      'max-depth': ['error', 3],
      'no-console': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@nx/enforce-module-boundaries': [
        'error',
        {
          allow: [],
          checkDynamicDependenciesExceptions: ['.*'],
          depConstraints: [
            {
              sourceTag: 'type:kernel',
              onlyDependOnLibsWithTags: ['type:text'],
              allowedExternalImports: ['zod', 'jose', '@jest/globals', 'fast-check'],
            },
            // What the product's services have in common, and the core must not know.
            {
              sourceTag: 'type:product',
              onlyDependOnLibsWithTags: ['type:kernel'],
              allowedExternalImports: ['zod', 'jose', '@jest/globals', 'fast-check'],
            },
            // A format that services and the contract share; it does no I/O.
            { sourceTag: 'type:format', onlyDependOnLibsWithTags: ['type:kernel', 'type:format', 'type:testing'] },
            // What a documentation repository says, for services and commands alike; it does no I/O.
            {
              sourceTag: 'type:repository',
              onlyDependOnLibsWithTags: [
                'type:kernel',
                'type:product',
                'type:format',
                'type:repository',
                'contract:shared',
                'contract:bus',
                'type:testing',
              ],
            },
            {
              sourceTag: 'type:contract',
              onlyDependOnLibsWithTags: ['type:kernel', 'type:product', 'type:format', 'type:contract'],
              allowedExternalImports: ['zod', '@jest/globals'],
            },
            // A service knows its own rows, and the calls and events of others; so does its contract.
            { sourceTag: 'scope:identity', notDependOnLibsWithTags: rowsOfOthers('identity') },
            { sourceTag: 'scope:content', notDependOnLibsWithTags: rowsOfOthers('content') },
            { sourceTag: 'scope:publishing', notDependOnLibsWithTags: rowsOfOthers('publishing') },
            { sourceTag: 'scope:openapi-specs', notDependOnLibsWithTags: rowsOfOthers('openapi-specs') },
            { sourceTag: 'scope:git-worker', notDependOnLibsWithTags: rowsOfOthers('git-worker') },
            { sourceTag: 'scope:events', notDependOnLibsWithTags: rowsOfOthers('events') },
            { sourceTag: 'contract:shared', notDependOnLibsWithTags: ['type:contract'] },
            {
              sourceTag: 'contract:bus',
              // The calls with which git-worker asks content are declared with git-worker's.
              onlyDependOnLibsWithTags: ['type:kernel', 'type:product', 'contract:shared', 'contract:bus'],
            },
            { sourceTag: 'type:platform', onlyDependOnLibsWithTags: ['type:kernel', 'type:platform', 'type:testing'] },
            // A library that knows nothing of Recto may format texts as all do; its tests may import what tests stand on.
            { sourceTag: 'scope:standalone', onlyDependOnLibsWithTags: ['type:text', 'type:testing'] },
            { sourceTag: 'type:testing', onlyDependOnLibsWithTags: ['type:kernel', 'type:contract', 'type:platform'] },
            {
              sourceTag: 'type:app',
              onlyDependOnLibsWithTags: [
                'type:kernel',
                'type:product',
                'type:format',
                'type:repository',
                'type:contract',
                'type:platform',
                'type:testing',
              ],
            },
            {
              sourceTag: 'type:e2e',
              onlyDependOnLibsWithTags: [
                'type:kernel',
                'type:product',
                'type:format',
                'type:repository',
                'type:contract',
                'type:platform',
                'type:testing',
              ],
            },
          ],
        },
      ],
    },
  },
  {
    files: ['{apps,libs}/**/*.{ts,tsx}'],
    ignores: ['**/*.test.ts', '**/*.test-d.ts', 'libs/testing/**', '**/test/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [{ name: '@recto/testing', message: 'testing is for *.test.ts only' }] },
      ],
    },
  },
  { files: ['**/config.ts'], rules: { 'no-restricted-syntax': ['error', noEnums, noExit, ...noPrivates] } },
  {
    // pdfkit has no public way to ask an embedded font for a glyph, to bound what it keeps of shaped words, or to label pages.
    files: ['libs/pdf/src/drawing/fonts.ts', 'libs/pdf/src/book/sheets.ts'],
    rules: { 'no-restricted-syntax': ['error', environmentInConfig, noEnums, noExit] },
  },
  {
    files: ['**/*.test.ts', '**/*.test-d.ts', '**/test/**/*.ts', 'libs/contracts/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
    },
  },
  {
    // The columns of a table of cases are parameters, and a suite that is skipped says why.
    files: ['**/*.test.ts', '**/test/**/*.ts', 'e2e/**/*.ts'],
    rules: { 'max-params': 'off', 'no-console': ['error', { allow: ['warn'] }] },
  },
  {
    files: ['**/*.test.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': ['error', environmentInConfig, noEnums, noExit, noOwnLimit, ...noPrivates],
    },
  },
)
