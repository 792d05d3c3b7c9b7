export {
  baseName,
  folderOf,
  invalidNameReason,
  isAbsolutePath,
  isBelow,
  isExternal,
  isMarkdown,
  joinInside,
  linkedPath,
  numberedPath,
} from './paths.ts'
export { slugOfFile, slugOfTitle, slugSet } from './slugs.ts'
