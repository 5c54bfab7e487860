import { canonicalJson, isRecord, sha256 } from '@surehand/core/internal'
import type { GraphqlImport, GraphqlOptions } from './read-graphql.ts'

/** Changes whenever the same schema would become other tools: old entries are then nobody's. */
export const GENERATOR_VERSION = 'graphql-1'

/** What an entry is kept under: the schema, what the importer said, and the generator. No tenant: tools of one schema are everybody's. */
export function cacheKey(text: string, options: GraphqlOptions): string {
  return sha256(
    `${GENERATOR_VERSION}\n${sha256(text)}\n${canonicalJson(JSON.parse(JSON.stringify(options)))}`,
  )
}

/** What was read, as bytes for a file. */
export function toCache({ operations, report }: GraphqlImport, key: string): Uint8Array {
  return new TextEncoder().encode(
    JSON.stringify({ version: GENERATOR_VERSION, key, operations, report }),
  )
}

/** What was kept; undefined for bytes that are not an entry of this key and generator, or not whole. */
export function fromCache(bytes: Uint8Array, key: string): GraphqlImport | undefined {
  const entry = parsed(new TextDecoder().decode(bytes))
  if (!isRecord(entry) || entry.version !== GENERATOR_VERSION || entry.key !== key) return undefined
  // erased: whoever wrote this key and version wrote an import
  return { operations: entry.operations, report: entry.report } as GraphqlImport
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
