import { Failure } from '@recto/operation'
import { type CommandTools, withInstallation } from './installation.ts'
import { parseRotation, rotated } from './rotation.rules.ts'
import { saveSecrets } from './secrets.ts'
import { runServiceCommand } from './service-command.ts'

/** Services that store what is encrypted with a secret. */
const encrypting = ['git-worker', 'publishing', 'events', 'identity']

/** `rotate <secret> [--finish]`: changes the secrets of a data folder; what is stored is encrypted anew before the former secret ends. */
export async function rotate(args: string[], tools: CommandTools): Promise<void> {
  const rotation = parseRotation(args)
  const { name, finish } = rotation
  await withInstallation(tools, async installation => {
    const { secrets } = installation
    if (!secrets)
      throw new Failure('invalid_request', 'The secrets must be those of a data folder; in containers they are files.')
    const next = rotated(secrets, rotation)
    if (finish)
      for (const service of encrypting)
        await runServiceCommand({ service, args: ['reencrypt'] }, { ...tools, installation })
    await saveSecrets(tools.config.dataDir, next)
    tools.print(
      finish
        ? `Restart Recto: it accepts the new ${name} only.`
        : `Restart Recto: it uses the new ${name}, and accepts the one before. Finish the rotation a day later.`,
    )
  })
}
