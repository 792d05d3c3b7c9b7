const runs = 3

/**
 * The processor time of some work in milliseconds: the least of three runs. Unlike the time that passes, it hardly depends on the load of
 * the machine, so that tests can compare the times of a small and a large input.
 */
export function leastCpuTime(work: () => void): number {
  const times = Array.from({ length: runs }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...times)
}
