import { connectBus, serve } from '@recto/bus'
import { gitWorkerCalls } from '@recto/contracts-git-worker-bus'
import { feature } from '@recto/operation'
import { createLog } from '@recto/telemetry'
import { waitLimit } from '@recto/testing'

/** The preview of a pull request; `auto` is open on public sites. */
export interface TestPreview {
  spaceId: string
  revision: string
  base?: string
  access: 'open' | 'members' | 'auto'
}

/** A responder on the bus in place of git-worker: it knows the previews of pull requests from memory. */
export interface GitWorkerResponder {
  previews: Map<string, TestPreview>
  stop(): Promise<void>
}

/** Starts the responder on a connection of git-worker. */
export async function aGitWorkerResponder(natsUrl: string): Promise<GitWorkerResponder> {
  const bus = await connectBus({ url: natsUrl, service: 'git-worker', callTimeout: waitLimit })
  const previews = new Map<string, TestPreview>()
  const calls = feature<unknown>()(gitWorkerCalls, {
    getGitPushKey: async () => ({ key: 'none' }),
    async findGitPreview({ body: { spaceId, key, isPublicSite } }) {
      const preview = previews.get(key)
      if (preview?.spaceId !== spaceId) return { isOpen: false }
      const { revision, base, access } = preview
      return {
        revision,
        ...(base !== undefined && { base }),
        isOpen: access === 'open' || (access === 'auto' && isPublicSite),
      }
    },
  })
  const serving = serve(bus, {
    prefix: 'rpc',
    operations: gitWorkerCalls,
    handlers: calls.handlers,
    strict: true,
    context: () => undefined,
    log: createLog({ service: 'git-worker', level: 'silent' }),
  })
  await bus.connection.flush()
  return {
    previews,
    async stop() {
      await serving.stop()
      await bus.drain()
    },
  }
}
