import config from './eslint.config.mjs'

/** The same rules for many projects at once: they share a program of types, which would be made anew for each. */
export default [
  ...config,
  {
    files: ['**/*.{ts,tsx}'],
    // Scripts for browsers have a program of their own.
    ignores: ['apps/*/src/browser/**'],
    languageOptions: { parserOptions: { projectService: false, project: 'tsconfig.all.json' } },
  },
]
