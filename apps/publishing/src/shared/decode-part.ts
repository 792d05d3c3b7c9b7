/** A part of a path as text. One that is no UTF-8, or has NUL, which no path of ours has, stays as it is. */
export function decodePart(part: string): string {
  try {
    const decoded = decodeURIComponent(part)
    return decoded.includes('\0') ? part : decoded
  } catch {
    return part
  }
}
