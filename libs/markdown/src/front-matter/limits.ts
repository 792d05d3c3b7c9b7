/** Limits of front matter and of files of variables. */
export const frontMatterLimits = {
  bytes: 64 * 1024,
  /** Levels of YAML. */
  depth: 20,
  /** Characters of the name of an icon. */
  icon: 50,
  /** Characters of the value of a variable. */
  variable: 256,
  /** Characters of the title of a page in the table of contents. */
  linkTitle: 100,
  /** Characters of the target of a meta link. */
  metaLink: 2048,
  /** Alternates that one page names. */
  alternates: 100,
  /** Characters of a tag. */
  tag: 100,
  /** Tags of one page. */
  tags: 50,
  /** Tags that a space describes. */
  spaceTags: 500,
  /** Pixels. */
  coverHeight: { min: 10, max: 700 },
}
