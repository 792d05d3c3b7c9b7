import { onSignal, type Bus } from '@recto/bus'
import { contentEvents, lifecycleEvents } from '@recto/contracts-content-bus'
import { createReplyCache, type ReplyCache } from '@recto/http'
import type { Metrics } from '@recto/telemetry'

/** Milliseconds after which a reply is asked for again, should a signal have been lost. */
const maxAge = 10 * 60_000
const hour = 3_600_000

interface Settings {
  /** Bytes; without any, nothing is kept. */
  size: number
  build: string
  metrics: Metrics
}

/** Keeps the replies that visitors share; a space whose content changes, or that is deleted, purged or transferred, takes its replies along, at once. */
export function createSharedReplies(
  bus: Bus,
  { size, build, metrics }: Settings,
): { replies: ReplyCache; variant(): string } | undefined {
  if (size === 0) return undefined
  const replies = createReplyCache({ size, maxAge })
  const dropAll = (spaces: readonly string[]) => spaces.forEach(space => replies.drop(space))
  // Conditions of main content hold for replies of former revisions, too.
  onSignal(bus, contentEvents.mainContentChanged, ({ space }) => replies.drop(space))
  onSignal(bus, lifecycleEvents.spaceDeleted, ({ space }) => replies.drop(space))
  onSignal(bus, lifecycleEvents.spacePurged, ({ space }) => replies.drop(space))
  onSignal(bus, lifecycleEvents.spaceTransferred, ({ space }) => replies.drop(space))
  onSignal(bus, lifecycleEvents.collectionDeleted, ({ spaces }) => dropAll(spaces))
  onSignal(bus, lifecycleEvents.collectionTransferred, ({ spaces }) => dropAll(spaces))
  bus.onReconnect(() => replies.clear())
  metrics.registerCache('replies', () => replies.state())
  // Download URLs in replies are signed anew each hour, as the entity tags of content say.
  return { replies, variant: () => `${build}:${Math.floor(Date.now() / hour)}` }
}
