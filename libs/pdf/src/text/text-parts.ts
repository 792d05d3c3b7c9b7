import type { Inline, TextStyle } from './style.ts'

/** Text, in which a line break begins a new line. */
export function textParts(text: string, style: TextStyle): Inline[] {
  return text.split('\n').flatMap((part, at): Inline[] => {
    const parts: Inline[] = part === '' ? [] : [{ kind: 'text', text: part, style }]
    return at === 0 ? parts : [{ kind: 'break' }, ...parts]
  })
}
