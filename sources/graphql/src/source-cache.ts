import { canonicalJson, isRecord, sha256 } from '@surehand/core/internal'
import type { GraphqlImport, GraphqlOptions } from './read-graphql.ts'

/**
 * Changes whenever the same schema would become other tools, so that old cache entries are ignored.
 */
export const GENERATOR_VERSION = 'graphql-1'

/**
 * The cache key: schema, options and generator version. The tenant is not part of it, because the
 * same schema gives the same tools.
 */
export function cacheKey(text: string, options: GraphqlOptions): string {
  return sha256(
    `${GENERATOR_VERSION}\n${sha256(text)}\n${canonicalJson(JSON.parse(JSON.stringify(options)))}`,
  )
}

/** Encodes an import for a cache file. */
export function toCache({ operations, report }: GraphqlImport, key: string): Uint8Array {
  return new TextEncoder().encode(
    JSON.stringify({ version: GENERATOR_VERSION, key, operations, report }),
  )
}

/** Decodes a cache file; undefined if it is damaged or belongs to another key or generator. */
export function fromCache(bytes: Uint8Array, key: string): GraphqlImport | undefined {
  const entry = parseJson(new TextDecoder().decode(bytes))
  if (!isRecord(entry) || entry.version !== GENERATOR_VERSION || entry.key !== key) return undefined
  // Type erased: only `toCache` writes entries with this key and version.
  return { operations: entry.operations, report: entry.report } as GraphqlImport
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
