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
  pathFault,
} from './paths.ts'
export { slugOfFile, slugOfTitle, slugSet } from './slugs.ts'
export {
  fileSettingsKey,
  settingsFile,
  settingsKeys,
  settingsSections,
  type PlacedEntry,
  type SettingsKey,
  type SettingsSection,
} from './settings-keys.ts'
