/** What ends a process: an orderly stop with its reason, or an error that nobody handled. */
export interface EndHandlers {
  stop(reason: string): void
  fail(error: unknown, origin: string): void
}

/** Listens for signals, the parent's death and unhandled errors. The listeners stay, so a second signal changes nothing. */
export function onProcessEnd(handlers: EndHandlers): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => handlers.stop(signal))
  process.on('uncaughtException', (error, origin) => handlers.fail(error, origin))
  if (process.send === undefined) return
  process.on('disconnect', () => handlers.stop('the parent process is gone'))
  // Listening must not keep the process alive once it has stopped.
  process.channel?.unref()
  if (!process.connected) handlers.stop('the parent process is gone')
}
