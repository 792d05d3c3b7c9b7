import type { NatsConnection } from '@nats-io/transport-node'
import type { SpanOptions } from '@recto/telemetry'

interface Message {
  /** The operation of the span; `request` waits for an answer. */
  operation: 'request' | 'publish' | 'process'
  subject: string
  id?: string | undefined
  /** The queue group or durable consumer that takes it. */
  group?: string
  /** Bytes. */
  size?: number | undefined
  /** The connection over which it is sent. */
  bus?: { connection: Pick<NatsConnection, 'getServer'> }
}

/** Attributes of a span about one message, as the semantic conventions of OpenTelemetry for messaging name them. */
export function messagingAttributes({
  operation,
  subject,
  id,
  group,
  size,
  bus,
}: Message): ReturnType<NonNullable<SpanOptions['attributes']>> {
  return {
    'messaging.system': 'nats',
    'messaging.operation.name': operation,
    'messaging.operation.type': operation === 'process' ? 'process' : 'send',
    'messaging.destination.name': subject,
    ...(id !== undefined && { 'messaging.message.id': id }),
    ...(group !== undefined && { 'messaging.consumer.group.name': group }),
    ...(size !== undefined && { 'messaging.message.body.size': size }),
    ...(bus && serverAttributes(bus.connection.getServer())),
  }
}

/** The attributes of a span for a server, which the library names as `host:port`. */
function serverAttributes(server: string): { 'server.address'?: string; 'server.port'?: number } {
  const [, host, port] = /^(.*):(\d+)$/.exec(server) ?? []
  return host === undefined ? {} : { 'server.address': host, 'server.port': Number(port) }
}
