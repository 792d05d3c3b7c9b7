/** A page that was converted, with those below it. */
export interface ConvertedPage extends PageMetadata {
  type: 'document' | 'group' | 'link'
  title: string
  slug: string
  /** Its path among the files of the set, such as `guide/setup.md`; absent for an entry without text. */
  file?: string
  markdown?: string
  /** Where a link leads. */
  href?: string
  /** Settings by name that the source has beside the page. */
  settings?: Record<string, string | boolean>
  pages: ConvertedPage[]
}

/** What the front matter of a page says about it. */
export interface PageMetadata {
  description?: string
  icon?: string
  hidden?: boolean
}

/** A file that was stored. */
export interface ConvertedFile {
  /** Its path among the files of the set, such as `.gitbook/assets/logo.png`. */
  path: string
  name: string
  hash: string
  size: number
  /** What its bytes say. */
  contentType: string
  dimensions?: { width: number; height: number }
}

/** Something that was left out or changed; `path` is a path of the source or a URL. */
export interface ConvertWarning {
  path: string
  message: string
}

/** Pages and files that were converted; links between them are relative. */
export interface ConvertedSet {
  pages: ConvertedPage[]
  files: ConvertedFile[]
  warnings: ConvertWarning[]
  /** The file of the source that has settings of its pages. */
  settings?: { path: string; text: string }
  /** Pages and files of the source, and those of them that are in the set. */
  total: number
  imported: number
}

/** Limits of one conversion. */
export interface ConvertLimits {
  /** Bytes of everything that is read, after decompression. */
  maxBytes: number
  /** Pages and files. */
  maxFiles: number
  /** Bytes of the source of one page. */
  maxPageBytes: number
}

/** A resource of the web, read to its end. */
export interface FetchedResource {
  status: number
  /** Its URL after redirects. */
  url: string
  contentType: string
  bytes: Uint8Array
}
