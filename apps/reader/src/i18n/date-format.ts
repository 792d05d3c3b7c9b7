const formats = new Map<string, Intl.DateTimeFormat>()

/** How a language (BCP 47) writes a day and the time of it, in UTC. */
export function timeFormat(language: string): Intl.DateTimeFormat {
  const format =
    formats.get(language) ??
    new Intl.DateTimeFormat(language, {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone: 'UTC',
      timeZoneName: 'short',
    })
  formats.set(language, format)
  return format
}

/** How a language (BCP 47) writes a day, in UTC: the same for every reader. Formats are kept, as making one takes long. */
export function dateFormat(language: string, dateStyle: 'long' | 'medium' | 'short' = 'long'): Intl.DateTimeFormat {
  const key = `${language} ${dateStyle}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(language, { dateStyle, timeZone: 'UTC' })
  formats.set(key, format)
  return format
}
