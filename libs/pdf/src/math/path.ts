/**
 * The same path without the shorthand `T`: pdfkit takes the wrong control point for the second of several in a row. Knows the
 * absolute commands that MathJax writes; a path with any other stays as it is.
 */
export function withoutShorthand(path: string): string {
  if (!/^[MLHVQTZ\d\s.,-]*$/.test(path) || !path.includes('T')) return path
  let x = 0
  let y = 0
  let controlX = 0
  let controlY = 0
  const commands: string[] = []
  for (const [, command = '', values = ''] of path.matchAll(/([MLHVQTZ])([^MLHVQTZ]*)/g)) {
    const numbers = (values.match(/-?\d*\.?\d+/g) ?? []).map(Number)
    const [a = 0, b = 0] = numbers.slice(-2)
    if (command === 'T') {
      controlX = 2 * x - controlX
      controlY = 2 * y - controlY
      commands.push(`Q${controlX} ${controlY} ${a} ${b}`)
    } else {
      commands.push(command + values)
      if (command === 'Q') [controlX = 0, controlY = 0] = numbers
    }
    if (command === 'H') x = numbers.at(-1) ?? x
    else if (command === 'V') y = numbers.at(-1) ?? y
    else if (command !== 'Z') {
      x = a
      y = b
    }
    if (command !== 'Q' && command !== 'T') {
      controlX = x
      controlY = y
    }
  }
  return commands.join('')
}
