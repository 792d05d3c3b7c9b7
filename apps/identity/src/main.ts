import { migrate } from '@recto/database'
import { databaseCommands, runProcess } from '@recto/service'
import { issueToken, listTokens, listUsers, revokeTokens } from './members/people-commands.ts'
import { forgetPrograms, listPrograms, registerProgram } from './oauth/client-commands.ts'
import { reencrypt } from './reencrypt.ts'
import { config } from './shared/config.ts'
import { identityDatabase } from './database.ts'
import { seed } from './seed/seed.ts'
import { startIdentity } from './service.ts'

const settings = config()
const database = identityDatabase(settings.DATABASE_URL_IDENTITY)
export const ended = runProcess({
  name: 'identity',
  settings,
  migrate: only => migrate(database, only),
  commands: {
    ...databaseCommands(database, {
      users: listUsers,
      tokens: listTokens,
      issue: issueToken,
      revoke: revokeTokens,
      programs: listPrograms,
      program: registerProgram(settings.SIGNING_SECRET),
      'forget-program': forgetPrograms,
      reencrypt: reencrypt(settings.SIGNING_SECRET),
    }),
    seed: args => seed(database, args),
  },
  start: tools => startIdentity(settings, tools),
})
