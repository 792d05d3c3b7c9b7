/** Limits the items of one request that are worked on at once: work that waits in a shared queue leaves other requests their place in it. */
export const fewAtOnce = { concurrency: 2 }
