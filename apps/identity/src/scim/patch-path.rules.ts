import {
  canonicalName,
  enterpriseSchema,
  groupSchema,
  isComplex,
  userSchema,
  type Attributes,
} from './attributes.rules.ts'
import { parseFilter, type Filter } from './filter.rules.ts'
import { scimFault } from './scim-fault.ts'

/** The place that an operation of a PATCH changes: an attribute of the resource or of an extension, or values of it that a filter selects. */
export interface PatchPath {
  /** The schema of an extension that the attribute belongs to. */
  extension?: string | undefined
  /** Left out where the place is the extension as a whole. */
  attribute?: string | undefined
  filter?: Filter | undefined
  subAttribute?: string | undefined
}

const coreSchemas = new Set([userSchema, groupSchema].map(schema => schema.toLowerCase()))
const attributePath = /^([a-z$][\w$-]*)(?:\[(.*)\])?(?:\.([a-z$][\w$-]*))?$/is
/** A schema ends at the last colon before a filter. */
const schemaPrefix = /^(urn:[^[\]"\s]*):([^:]*(?:\[.*)?)$/is

/** Reads the path of an operation on a resource, whose extensions are known by their names. Throws `invalidPath` for one that is none. */
export function parsePatchPath(path: string, resource: Attributes): PatchPath {
  const extension = extensionNamed(path, resource)
  if (extension !== undefined) return { extension }
  const [, schema, rest = path] = schemaPrefix.exec(path) ?? []
  const [, attribute, filter, subAttribute] = attributePath.exec(rest.trim()) ?? []
  if (attribute === undefined) throw scimFault('invalidPath', `${path} is no path of an attribute`)
  const isCore = schema === undefined || coreSchemas.has(schema.toLowerCase())
  const owner = isCore ? undefined : (extensionNamed(schema, resource) ?? canonicalName(schema))
  return {
    extension: owner,
    attribute: attributeNamed(attribute, owner === undefined ? resource : resource[owner]),
    filter: filter === undefined ? undefined : parseFilter(filter),
    subAttribute: subAttribute === undefined ? undefined : canonicalName(subAttribute),
  }
}

/** The name of an attribute as its owner has it, else as RFC 7643 does. */
function attributeNamed(name: string, owner: unknown): string {
  const canonical = canonicalName(name)
  const names = isComplex(owner) ? Object.keys(owner) : []
  return names.find(key => key.toLowerCase() === canonical.toLowerCase()) ?? canonical
}

/** The extension of a resource that has this name, in any case. */
function extensionNamed(name: string, resource: Attributes): string | undefined {
  const lowerCaseName = name.toLowerCase()
  if (!lowerCaseName.startsWith('urn:')) return undefined
  return [enterpriseSchema, ...Object.keys(resource)].find(key => key.toLowerCase() === lowerCaseName)
}
