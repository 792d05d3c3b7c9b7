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
} from './paths.ts'
export { slugOfFile, slugOfTitle, slugSet } from './slugs.ts'
