import type { Program } from './terminal/run-command.ts'

/** The version of the commands, which is that of the repository. */
export const version = '0.1.0'

const formats = ['text', 'json', 'sarif', 'github', 'gitlab'] as const
const usualPort = 4000
const json = { type: 'boolean', summary: 'Write the result as JSON' } as const

/** The program with all of its commands. The code of a command is loaded when it runs: what it needs takes most of a short run. */
export const program: Program = {
  version,
  commands: [
    {
      name: 'check',
      operands: ['DIR'],
      summary: 'Check links, table of contents, front matter, configuration, blocks and sizes',
      options: {
        format: { type: 'string', choices: formats, summary: 'How findings are written; text unless given' },
        json: { type: 'boolean', summary: 'The same as --format json' },
        'public-url': {
          type: 'string',
          value: 'URL',
          summary: 'Address of the application, to recognise links to spaces',
        },
        space: { type: 'string', value: 'IDS', summary: 'Ids of the spaces that exist there, by commas' },
        'max-image': { type: 'string', value: 'MB', summary: 'Megabytes of an image; 5 unless given' },
        'no-cache': { type: 'boolean', summary: 'Parse all pages, also those of an earlier check' },
      },
      run: async input => (await import('./checking/check-command.ts')).check(input, version),
    },
    {
      name: 'preview',
      operands: ['DIR'],
      summary: 'Show a folder in a browser as readers will see it, and follow its changes',
      options: {
        port: {
          type: 'string',
          value: 'PORT',
          summary: `Port of this machine; ${usualPort} unless given, 0 for a free one`,
        },
      },
      run: async input => (await import('./preview/preview-command.ts')).preview(input, usualPort),
    },
    {
      name: 'export',
      operands: ['SITE|DIR', 'OUT'],
      summary: 'Write a published site, or a folder, as plain files that need no server',
      options: { json: { type: 'boolean', summary: 'Write what was exported as JSON' } },
      run: async input => (await import('./export/export-command.ts')).exportPages(input),
    },
    {
      name: 'login',
      operands: ['[URL]'],
      summary: 'Log in to an installation, with a browser or with an access token',
      options: {
        token: { type: 'boolean', summary: 'Type an access token, instead of signing in with a browser' },
        'token-stdin': { type: 'boolean', summary: 'Read the token from the standard input' },
        status: { type: 'boolean', summary: 'Show who is logged in, and where' },
        json,
      },
      run: async input => (await import('./account/login-command.ts')).logIn(input),
    },
    {
      name: 'logout',
      operands: ['[URL]'],
      summary: 'Delete the saved token of an installation, the last one unless given',
      options: { json },
      run: async input => (await import('./account/login-command.ts')).logOut(input),
    },
    {
      name: 'pull',
      operands: ['SPACE', 'DIR'],
      summary: 'Write what changed in a space into a folder',
      options: {
        'change-request': {
          type: 'string',
          value: 'NUMBER',
          summary: 'Pull a change request in place of main content',
        },
        force: {
          type: 'boolean',
          summary: 'Files that both sides changed become those of the space; yours are copied to .recto/replaced',
        },
        json,
      },
      run: async input => (await import('./sync/pull-command.ts')).pull(input),
    },
    {
      name: 'push',
      operands: ['[DIR]'],
      summary: 'Write a folder into its space, as one change',
      options: {
        space: { type: 'string', value: 'ID', summary: 'The space, without content, of a folder that was not pulled' },
        'change-request': {
          type: 'string',
          value: 'NUMBER',
          summary: 'Push into a change request in place of what the folder follows',
        },
        subject: { type: 'string', value: 'TEXT', summary: 'Push into a new change request with this subject' },
        message: { type: 'string', value: 'TEXT', summary: 'What the history of git operations says' },
        force: {
          type: 'boolean',
          summary: 'Push even if the space has changed since the last pull: its changes stay in its history alone',
        },
        json,
      },
      run: async input => (await import('./sync/push-command.ts')).push(input),
    },
  ],
}
