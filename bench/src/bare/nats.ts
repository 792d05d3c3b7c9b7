import type { ConnectionOptions } from '@nats-io/transport-node'

/** Connection options of a URL with a user. */
export function connectionOptions(url: string): ConnectionOptions {
  const { host, username, password } = new URL(url)
  return { servers: host, user: username, pass: password }
}
