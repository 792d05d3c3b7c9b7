/** The subjects a service uses on the bus; its permissions are derived from it. */
export interface ServiceTraffic {
  /** Sends `api.>` requests on behalf of HTTP callers: the gateway only. */
  sendsApi?: true
  /** Responds on `api.<service>.*` and `rpc.<service>.*`. */
  serves?: true
  /** Operations of other services it calls: `<service>.<operationId>` or `<service>.*`. */
  calls?: readonly string[]
  /** Publishes events of its own, `events.<service>.>`, through the outbox. */
  publishes?: true
  /** Event subjects it subscribes to as signals, delivered at most once. */
  subscribes?: readonly string[]
  /** Streams it consumes durably: `EVENTS` or `JOBS`. */
  consumes?: readonly string[]
  /** Job subjects it dispatches. */
  dispatches?: readonly string[]
}

/** Subjects a NATS user may publish and subscribe to. */
export interface SubjectPermissions {
  publish: string[]
  subscribe: string[]
}

/** Derives a service's subject permissions: a service can neither pose as the gateway nor answer or publish for another. */
export function servicePermissions(service: string, traffic: ServiceTraffic): SubjectPermissions {
  const streams = [
    ...(traffic.publishes ? ['EVENTS'] : []),
    ...(traffic.dispatches ? ['JOBS'] : []),
    ...(traffic.consumes ?? []),
  ]
  return {
    publish: unique([
      '_INBOX.>',
      // Whether the server has its cluster.
      '$JS.API.INFO',
      ...(traffic.sendsApi ? ['api.>'] : []),
      ...(traffic.calls ?? []).map(call => `rpc.${call}`),
      ...(traffic.publishes ? [`events.${service}.>`] : []),
      ...(traffic.dispatches ?? []),
      ...streams.flatMap(stream => ['INFO', 'CREATE', 'UPDATE'].map(verb => `$JS.API.STREAM.${verb}.${stream}`)),
      ...(traffic.consumes ?? []).flatMap(stream => consumerSubjects(service, stream)),
    ]),
    subscribe: unique([
      `_INBOX.${service}.>`,
      ...(traffic.serves ? [`api.${service}.*`, `rpc.${service}.*`] : []),
      ...(traffic.subscribes ?? []),
    ]),
  }
}

function consumerSubjects(service: string, stream: string): string[] {
  return [
    // A stream whose files are gone is recreated: every message in it is also in an outbox.
    `$JS.API.STREAM.DELETE.${stream}`,
    `$JS.API.CONSUMER.INFO.${stream}.${service}`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${service}`,
    `$JS.API.CONSUMER.CREATE.${stream}.${service}.>`,
    `$JS.API.CONSUMER.CREATE.${stream}.${service}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${service}`,
    `$JS.ACK.${stream}.${service}.>`,
  ]
}

function unique(subjects: string[]): string[] {
  return [...new Set(subjects)]
}
