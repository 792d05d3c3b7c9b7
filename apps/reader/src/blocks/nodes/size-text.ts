const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

/** A number of bytes as people write it, such as `1.2 MB`. */
export function sizeText(bytes: number, locale: string): string {
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  const [supportedLocale] = Intl.NumberFormat.supportedLocalesOf(isLocale(locale) ? locale : 'en')
  return new Intl.NumberFormat(supportedLocale ?? 'en', {
    style: 'unit',
    unit: units[step] ?? 'byte',
    maximumFractionDigits: step > 0 && value < 10 ? 1 : 0,
  }).format(value)
}

function isLocale(locale: string): boolean {
  return /^[a-z]{2,8}(?:-[a-z0-9]{2,8})*$/i.test(locale)
}
