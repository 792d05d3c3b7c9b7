/** Concurrency of the items of one request in a shared queue, low so that other requests keep their place in it. */
export const requestConcurrency = { concurrency: 2 }
