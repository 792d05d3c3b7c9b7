import { iconShape } from './icons.ts'

/** An icon beside text, which says nothing of its own; nothing where no icon has the name. */
export function Icon({ name }: { name: string | undefined }) {
  const shape = iconShape(name)
  if (!shape) return null
  return (
    <svg class="icon" viewBox={`0 0 ${shape.width} ${shape.height}`} fill="currentColor" aria-hidden="true">
      <path d={shape.path} />
    </svg>
  )
}
