import { type OpenApiOptions, readOpenApi } from '../../../../sources/openapi/src/index.ts'
import { DOCUMENTS, type DocumentId } from '../documents.ts'
import type { Work } from '../work.ts'
import { madeOf } from './made-of.ts'

/** All operations, writes too: what the peers make. */
export function optionsFor(document: DocumentId): OpenApiOptions {
  const { name, origins } = DOCUMENTS[document]
  return { name, origins, allow: 'all' }
}

export function surehandOpenApi(document: DocumentId): Work {
  const options = optionsFor(document)
  return { takes: 'text', make: (text) => madeOf(readOpenApi(text, options).operations, options.name) }
}
