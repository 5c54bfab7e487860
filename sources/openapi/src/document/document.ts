import { isRecord } from '@surehand/core/internal'
import { CORE_SCHEMA, load } from 'js-yaml'
import { documentError } from './document-error.ts'
import { LIMITS } from './limits.ts'
import { type Fields, own, ownText } from './record.ts'

/** An OpenAPI document, parsed but not yet interpreted. */
export type OpenApiDocument = {
  readonly root: Fields
  readonly version: '3.0' | '3.1'
  readonly notes: readonly string[]
}

/** Parses JSON or YAML text; a parsed object is used as it is. */
export function parseDocument(source: string | Fields): OpenApiDocument {
  const root = typeof source === 'string' ? parseText(source) : source
  if (!isRecord(root)) throw documentError('it is not an object.')
  return { root, ...readVersion(root) }
}

/** Parses JSON or YAML. */
export function parseText(source: string): unknown {
  const text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source
  if (text.length > LIMITS.documentCharacters)
    throw documentError(`it is longer than ${LIMITS.documentCharacters} characters.`)
  return isYaml(text) ? parseYaml(text) : parseJson(text)
}

/** Whether a text is parsed as YAML, which takes far longer than JSON. */
export function isYaml(text: string): boolean {
  return !/^\uFEFF?\s*[{[]/.test(text.slice(0, 1_000))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw documentError(
      `it is not valid JSON: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
    )
  }
}

// Aliases refer to the same object and are not copied. What many nested aliases expand to is
// bounded where schemas are read.
function parseYaml(text: string): unknown {
  if (text.length > LIMITS.yamlCharacters)
    throw documentError(
      `it is YAML with more than ${LIMITS.yamlCharacters} characters. Convert it to JSON.`,
    )
  try {
    return load(text, {
      schema: CORE_SCHEMA,
      maxDepth: LIMITS.yamlDepth,
      maxAliases: LIMITS.yamlAliases,
    })
  } catch (cause) {
    throw documentError(
      `it is not valid YAML: ${cause instanceof Error ? cause.message.slice(0, 500) : String(cause)}`,
      cause,
    )
  }
}

function readVersion(root: Fields): Omit<OpenApiDocument, 'root'> {
  const version = ownText(root, 'openapi') ?? ''
  if (version.startsWith('3.0')) return { version: '3.0', notes: [] }
  if (version.startsWith('3.1')) return { version: '3.1', notes: [] }
  if (version.startsWith('3.2'))
    return { version: '3.1', notes: ['OpenAPI 3.2 is read by the rules of 3.1.'] }
  const swagger = own(root, 'swagger')
  if (swagger !== undefined)
    throw documentError(
      `it is Swagger ${String(swagger)}, and only OpenAPI 3.0 and 3.1 are read. Convert it first, for example with swagger2openapi.`,
    )
  throw documentError(
    `its field "openapi" says ${JSON.stringify(version.slice(0, 40))}, and only OpenAPI 3.0 and 3.1 are read.`,
  )
}
