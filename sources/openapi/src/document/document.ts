import { isRecord } from '@surehand/core/internal'
import { CORE_SCHEMA, load } from 'js-yaml'
import { LIMITS } from './limits.ts'
import { type Fields, own, ownText } from './record.ts'
import { refused } from './refused.ts'

/** An OpenAPI document, read but not looked into. */
export type OpenApiDocument = {
  readonly root: Fields
  readonly version: '3.0' | '3.1'
  readonly notes: readonly string[]
}

/** Reads JSON or YAML text, or takes what somebody has read already. */
export function parseDocument(source: string | Fields): OpenApiDocument {
  const root = typeof source === 'string' ? parseText(source) : source
  if (!isRecord(root)) throw refused('it is no object.')
  return { root, ...versionOf(root) }
}

/** A text in JSON or YAML. */
export function parseText(source: string): unknown {
  const text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source
  if (text.length > LIMITS.documentCharacters)
    throw refused(`it is longer than ${LIMITS.documentCharacters} characters.`)
  return isYaml(text) ? parseYaml(text) : parseJson(text)
}

/** Whether a text is read as YAML, which takes far longer than JSON. */
export function isYaml(text: string): boolean {
  return !/^\uFEFF?\s*[{[]/.test(text.slice(0, 1_000))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw refused(`it is no JSON: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
  }
}

// an alias is the same object again, not a copy: what a bomb of aliases would fill is bounded where schemas are walked
function parseYaml(text: string): unknown {
  if (text.length > LIMITS.yamlCharacters)
    throw refused(`as YAML it may have ${LIMITS.yamlCharacters} characters; convert it to JSON.`)
  try {
    return load(text, {
      schema: CORE_SCHEMA,
      maxDepth: LIMITS.yamlDepth,
      maxAliases: LIMITS.yamlAliases,
    })
  } catch (cause) {
    throw refused(
      `it is no YAML: ${cause instanceof Error ? cause.message.slice(0, 500) : String(cause)}`,
      cause,
    )
  }
}

function versionOf(root: Fields): Omit<OpenApiDocument, 'root'> {
  const version = ownText(root, 'openapi') ?? ''
  if (version.startsWith('3.0')) return { version: '3.0', notes: [] }
  if (version.startsWith('3.1')) return { version: '3.1', notes: [] }
  if (version.startsWith('3.2'))
    return { version: '3.1', notes: ['OpenAPI 3.2 is read by the rules of 3.1.'] }
  const swagger = own(root, 'swagger')
  if (swagger !== undefined)
    throw refused(
      `it is Swagger ${String(swagger)}, and only OpenAPI 3.0 and 3.1 are read. Convert it first, for example with swagger2openapi.`,
    )
  throw refused(
    `its field "openapi" says ${JSON.stringify(version.slice(0, 40))}, and only OpenAPI 3.0 and 3.1 are read.`,
  )
}
