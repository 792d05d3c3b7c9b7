/** A file as a revision keeps it, under its id. */
export interface FileRecord {
  id: string
  name: string
  /** SHA-256 of the bytes in the blob store. */
  hash: string
  size: number
  contentType: string
  dimensions?: { width: number; height: number }
  git?: { path: string; oid: string }
}

/** Content that pages include, as a revision keeps it, under its id. */
export interface ReusableRecord {
  id: string
  title: string
  document: string
  git?: { path: string; oid: string }
}
