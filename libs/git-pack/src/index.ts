export { GitPackError, type GitPackErrorCode } from './git-pack-error.ts'
export { indexPack, type IndexedPack, type PackLimits } from './index-pack.ts'
export { parseCommit, parseTree, type Commit, type TreeEntry } from './objects.ts'
export { ObjectStore, openPack, type GitObject, type Pack, type ReadLimits } from './object-store.ts'
export { encodeNegotiation, readCommonCommits, type CommonCommits, type Negotiation } from './negotiation.ts'
export type { EntryHeader, ObjectType } from './pack-entry.ts'
export { decodeIndex, encodeIndex, type IndexEntry, type PackIndex } from './pack-index.ts'
export { PackReader, type PackSource } from './pack-reader.ts'
export { flush, packet, readPackets, type Packet } from './pkt-line.ts'
export {
  encodeTree,
  groupByFolder,
  isTree,
  parseRawTree,
  rawName,
  type FolderChange,
  type RawEntry,
} from './tree-entries.ts'
export { objectId, writePack, type PackObject } from './write-pack.ts'
export {
  encodeFetchCommand,
  encodeFetchRequest,
  receivePack,
  type FetchCommand,
  type FetchRequest,
  type ReceivedPack,
  type ReceiveOptions,
} from './upload-pack.ts'
