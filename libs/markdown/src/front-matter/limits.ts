/** Limits of front matter and of files of variables. */
export const frontMatterLimits = {
  bytes: 64 * 1024,
  /** Levels of YAML. */
  depth: 20,
  /** Characters of the name of an icon. */
  icon: 50,
  /** Characters of the value of a variable. */
  variable: 256,
}
