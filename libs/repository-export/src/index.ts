export { ExportContent, recordsOf, type Content, type ContentState, type ExportRecord } from './export-content.ts'
export { LoadedContent, type ContentReader, type ObjectWriter } from './loaded-content.ts'
export { planExport, type ExportPlan, type ExportRequest, type ExportTip } from './plan-export.ts'
