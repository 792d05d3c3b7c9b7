const punctuation = /[!-/:-@[-`{-~]/

/** Writes the destination of a link: the target as it is written, so that character references stay. */
export function writeDestination(target: string): string {
  const escaped = target.replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\').replaceAll('|', '\\|')
  if (target === '' || /[\0- \u007f<>]/.test(target) || !isBalanced(target))
    return `<${escaped.replace(/[\r\n]/g, ' ').replace(/[<>]/g, '\\$&')}>`
  return escaped
}

function isBalanced(target: string): boolean {
  let depth = 0
  for (const character of target) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth < 0 || depth > 30) return false
  }
  return depth === 0
}

/** Writes the title of a link in quotes. */
export function writeTitle(title: string): string {
  const escaped = title.replace(/\\(?=[!-/:-@[-`{-~])|"|\||&(?=[#a-zA-Z])/g, '\\$&').replace(/\s*\n\s*/g, ' ')
  return `"${escaped}"`
}

/** Writes a value of a tag in quotes. */
export function writeTagValue(value: string): string {
  let escaped = ''
  for (const [at, character] of Array.from(value).entries()) {
    const next = value.charAt(at + 1)
    const isEscape = character === '\\' && (next === '' || punctuation.test(next))
    escaped += character === '"' || isEscape ? `\\${character}` : character
  }
  return `"${escaped.replace(/\s*\n\s*/g, ' ')}"`
}

/** Writes text of HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Writes a value of an attribute of HTML, in quotes. */
export function writeAttribute(value: string): string {
  const escaped = escapeHtml(value)
    .replaceAll('"', '&quot;')
    .replaceAll('|', '&#124;')
    .replace(/\s*\n\s*/g, ' ')
  return `"${escaped}"`
}

/** Writes a target as an attribute of HTML: as it is written, so that character references stay. */
export function writeTargetAttribute(target: string): string {
  const line = target.replace(/\s*\n\s*/g, ' ')
  if (!line.includes('"')) return `"${line}"`
  return line.includes("'") ? `"${line.replaceAll('"', '&quot;')}"` : `'${line}'`
}

/** Writes the attributes that have a value: true stands without one. */
export function writeAttributes(attributes: Record<string, string | number | boolean | undefined>): string {
  return Object.entries(attributes)
    .map(([name, value]) => {
      if (value === undefined || value === false) return ''
      return value === true ? ` ${name}` : ` ${name}=${writeAttribute(String(value))}`
    })
    .join('')
}

/** Writes `{% name key="value" %}` with the values that there are. */
export function writeTag(name: string, values: Record<string, unknown> = {}): string {
  const attributes = Object.entries(values).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [` ${key}=${writeTagValue(String(value))}`],
  )
  return `{% ${name}${attributes.join('')} %}`
}

/** Writes a length as `readLength` reads it. */
export function writeLength(length: unknown): string | undefined {
  if (typeof length === 'number') return String(length)
  if (typeof length !== 'object' || length === null) return undefined
  const { value, unit } = length as { value: number; unit: string }
  return `${value}${unit}`
}
