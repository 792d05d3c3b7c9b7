import { checkCommand } from './checking/check-command.ts'
import { previewCommand } from './preview/preview-command.ts'
import { exportCommand } from './export/export-command.ts'
import { loginCommand, logoutCommand } from './account/login-command.ts'
import { pullCommand } from './sync/pull-command.ts'
import { pushCommand } from './sync/push-command.ts'
import type { Program } from './terminal/run-command.ts'

/** The version of the commands, which is that of the repository. */
export const version = '0.1.0'

/** The program with all of its commands. */
export const program: Program = {
  version,
  commands: [
    checkCommand(version),
    previewCommand,
    exportCommand,
    loginCommand,
    logoutCommand,
    pullCommand,
    pushCommand,
  ],
}
