const minute = 60_000
const maxKeys = 10_000

/** Tells whether something has not happened within the last minute; of what has too many keys, nothing is new any more. */
export function oncePerMinute(): (key: string, now: number) => boolean {
  // Entries are in the order of their times.
  const times = new Map<string, number>()
  return (key, now) => {
    for (const [old, time] of times) {
      if (now - time < minute) break
      times.delete(old)
    }
    if (times.has(key) || times.size >= maxKeys) return false
    times.set(key, now)
    return true
  }
}
