/** The last event of a stream that has ended, parsed as JSON; undefined without any. */
export function lastEvent<Event>(stream: string): Event | undefined {
  const data = stream.split('\n\n').flatMap(event => (event.startsWith('data: ') ? [event.slice('data: '.length)] : []))
  const last = data.at(-1)
  return last === undefined ? undefined : (JSON.parse(last) as Event)
}
