import { maxVisitorGrant, type SiteVersion } from '@recto/actor/site-version'
import { maxVisitorTokenLength } from '@recto/actor/visitor-token'
import { busClient, onSignal, type Bus } from '@recto/bus'
import { publishingEvents } from '@recto/contracts-publishing-bus'
import { calls } from '@recto/contracts'

/** Milliseconds between two questions for the sites that were closed: a signal of one may be lost. */
const defaultInterval = 15_000
/** Milliseconds after which a question without an answer is asked again, as downloads of visitors wait for it. */
const retryInterval = 1_000
/** Questions without an answer before each warning: the processes of an installation start together, and publishing may be the later one. */
const failuresPerWarning = 15
/** Milliseconds by which a question reaches behind the last answer: a closing has its time before its commit. */
const overlap = maxVisitorTokenLength

/**
 * Seconds for which a browser, and a cache before it, may each keep what a visitor read. A closing is known to every gateway within half a
 * minute, so that nothing outlives it by a whole one.
 */
export const visitorMaxAge = 15

/** Which sites were closed, and from which version on they are open: what visitors were given for lower ones is not valid any more. */
export interface Closings {
  isClosed(version: SiteVersion): boolean
  /** Whether every closing of more than two intervals ago is known. */
  areKnown(): boolean
  /** Resolves when the closings before the start are known, or could not be asked for. */
  ready: Promise<void>
  stop(): void
}

interface Options {
  log: { warn(details: object, message: string): void }
  /** Milliseconds. */
  interval?: number
}

/**
 * Follows the closings of sites: by signals, and by asking publishing at the start, after a reconnection and every 15 seconds, or every
 * second until it answers. The first question reaches as far back as anything lives that a visitor was given, each later one a little behind the last answer.
 */
export function followClosings(bus: Bus, { log, interval = defaultInterval }: Options): Closings {
  const publishing = busClient(bus, calls.publishing, { service: 'publishing' })
  const closedVersions = createClosedVersions(2 * maxVisitorGrant)
  const state = { failures: 0, answeredAt: 0, isStopped: false }
  const ask = async (): Promise<void> => {
    const startedAt = Date.now()
    const body = state.answeredAt === 0 ? {} : { withinMs: startedAt - state.answeredAt + overlap }
    const { sites } = await publishing.listClosedSites({ body })
    for (const { site, closedVersion: version } of sites) closedVersions.add({ site, version })
    Object.assign(state, { failures: 0, answeredAt: startedAt })
  }
  const askQuietly = (): Promise<void> =>
    ask().catch((error: unknown) => {
      state.failures += 1
      if (state.failures % failuresPerWarning === 0) log.warn({ err: error }, 'closed sites are not known')
    })
  let timer: NodeJS.Timeout | undefined
  const poll = async (): Promise<void> => {
    await askQuietly()
    if (state.isStopped) return
    timer = setTimeout(() => void poll(), state.failures === 0 ? interval : Math.min(interval, retryInterval)).unref()
  }
  const stopListening = [
    onSignal(bus, publishingEvents.siteChanged, ({ site, closedVersion }) =>
      closedVersions.add({ site, version: closedVersion }),
    ),
    onSignal(bus, publishingEvents.siteDeleted, ({ site, version }) => closedVersions.add({ site, version })),
  ]
  bus.onReconnect(() => void askQuietly())
  return {
    isClosed: ({ site, version }) => version < closedVersions.versionOf(site),
    areKnown: () => bus.isConnected() && Date.now() - state.answeredAt < 2 * interval,
    ready: poll(),
    stop() {
      state.isStopped = true
      clearTimeout(timer)
      for (const stop of stopListening) stop()
    },
  }
}

interface ClosedVersions {
  add(closing: SiteVersion): void
  /** 0 for a site that was not closed. */
  versionOf(site: string): number
}

/** The highest closed version of each site, for `keptFor` milliseconds. Nothing makes room for another before that, as it would be open again. */
function createClosedVersions(keptFor: number): ClosedVersions {
  const closings = new Map<string, { version: number; at: number }>()
  const forgetOld = (now: number): void => {
    for (const [site, { at }] of closings) {
      if (now - at < keptFor) return
      closings.delete(site)
    }
  }
  const versionOf = (site: string) => closings.get(site)?.version ?? 0
  return {
    versionOf,
    add({ site, version }) {
      if (version <= versionOf(site)) return
      const at = Date.now()
      forgetOld(at)
      // The latest is the last of the map, so that the oldest come first.
      closings.delete(site)
      closings.set(site, { version, at })
    },
  }
}
