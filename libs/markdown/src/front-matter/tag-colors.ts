/** The colours that a tag can have; those that begin with `$` are of the site that shows it. */
// prettier-ignore
export const tagColors = [
  'default', 'green', 'blue', 'red', 'orange', 'yellow', 'purple', 'pink', 'violet', 'cyan',
  '$primary', '$info', '$success', '$warning', '$danger', '$tint',
] as const
