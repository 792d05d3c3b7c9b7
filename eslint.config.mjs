import nx from '@nx/eslint-plugin'
import tseslint from 'typescript-eslint'

const vendors = {
  express: ['libs/http/', 'apps/gateway/', 'bench/'],
  '@nats-io/': ['libs/bus/', 'bench/'],
  typeorm: ['libs/database/', '.entity.ts', '.repository.ts', '/migrations/'],
  pg: ['libs/database/', 'libs/embedded/', 'libs/testing/', 'bench/'],
  'isomorphic-git': ['apps/git-worker/'],
  '@opentelemetry/sdk': ['libs/telemetry/'],
  '@aws-sdk/': ['libs/blobs/'],
  '@flystorage/': ['libs/blobs/'],
  undici: ['libs/outgoing/'],
  '@node-saml/': ['apps/identity/src/saml/'],
  '@xmldom/': ['apps/identity/src/saml/'],
  jose: ['apps/identity/src/members/visitor-claims'],
  'xml-crypto': ['apps/identity/src/saml/', 'apps/identity/src/test/saml/'],
}

/** One vendor, one door: an import of a vendor outside its door is an error. */
const oneDoor = {
  meta: { type: 'problem', schema: [], messages: { door: '{{vendor}} may be imported only in {{doors}}' } },
  create(context) {
    const file = context.filename.replaceAll('\\', '/')
    const check = node => {
      const source = node.source?.value
      if (typeof source !== 'string') return
      for (const [vendor, doors] of Object.entries(vendors)) {
        const named =
          vendor.endsWith('/') || vendor.endsWith('sdk')
            ? source.startsWith(vendor)
            : source === vendor || source.startsWith(`${vendor}/`)
        if (named && !doors.some(door => file.includes(door))) {
          context.report({ node, messageId: 'door', data: { vendor, doors: doors.join(', ') } })
        }
      }
    }
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    }
  },
}

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

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.nx/**', '.data/**'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { '@nx': nx, recto: { rules: { 'one-door': oneDoor } } },
    rules: {
      'recto/one-door': 'error',
      'no-restricted-syntax': ['error', environmentInConfig, noEnums, noExit],
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
              onlyDependOnLibsWithTags: [],
              allowedExternalImports: ['zod', '@jest/globals', 'fast-check'],
            },
            // What the product's services have in common, and the core must not know.
            {
              sourceTag: 'type:product',
              onlyDependOnLibsWithTags: ['type:kernel'],
              allowedExternalImports: ['zod', '@jest/globals', 'fast-check'],
            },
            {
              sourceTag: 'type:contract',
              onlyDependOnLibsWithTags: ['type:kernel', 'type:product'],
              allowedExternalImports: ['zod', '@jest/globals'],
            },
            { sourceTag: 'type:platform', onlyDependOnLibsWithTags: ['type:kernel', 'type:platform', 'type:testing'] },
            // A library that knows nothing of Recto: only its tests may import what tests stand on.
            { sourceTag: 'scope:standalone', onlyDependOnLibsWithTags: ['type:testing'] },
            { sourceTag: 'type:testing', onlyDependOnLibsWithTags: ['type:kernel', 'type:contract', 'type:platform'] },
            {
              sourceTag: 'type:app',
              onlyDependOnLibsWithTags: [
                'type:kernel',
                'type:product',
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
    files: ['{apps,libs}/**/*.ts'],
    ignores: ['**/*.test.ts', '**/*.test-d.ts', 'libs/testing/**', '**/test/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [{ name: '@recto/testing', message: 'testing is for *.test.ts only' }] },
      ],
    },
  },
  { files: ['**/config.ts'], rules: { 'no-restricted-syntax': ['error', noEnums, noExit] } },
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
)
