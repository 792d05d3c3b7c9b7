/** The events that a text of a stream has, parsed as JSON, and the part of it that is no whole event yet. */
export function takeEvents<Event>(text: string): { events: Event[]; rest: string } {
  const parts = text.split('\n\n')
  const rest = parts.pop() ?? ''
  const data = parts.flatMap(part => (part.startsWith('data: ') ? [part.slice('data: '.length)] : []))
  return { events: data.map(event => JSON.parse(event) as Event), rest }
}
