/** Handlers for the end of a process: an orderly stop with its reason, or an unhandled error. */
export interface EndHandlers {
  stop(reason: string): void
  fail(error: unknown, origin: string): void
}

/** Listens for SIGTERM, SIGINT, the parent's exit and unhandled errors. The listeners stay, so that a second signal does not kill the process. */
export function onProcessEnd(handlers: EndHandlers): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => handlers.stop(signal))
  process.on('uncaughtException', (error, origin) => handlers.fail(error, origin))
  if (process.send === undefined) return
  process.on('disconnect', () => handlers.stop('the parent process is gone'))
  // The IPC channel must not keep a stopped process alive.
  process.channel?.unref()
  if (!process.connected) handlers.stop('the parent process is gone')
}
