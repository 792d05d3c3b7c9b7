/** The content of a resource: text, or bytes in base64. */
export type ResourceContent = { uri: string; mimeType: string } & ({ text: string } | { blob: string })

/** A part of an answer for the model: text, a picture or sound in base64, or a resource as it is. */
export type McpContent =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: ResourceContent }
