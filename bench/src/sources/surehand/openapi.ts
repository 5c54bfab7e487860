import {
  type OpenApiOptions,
  type OpenApiRead,
  readOpenApi,
} from '../../../../sources/openapi/src/index.ts'
import { DOCUMENTS, type DocumentId } from '../documents.ts'
import type { Made, Work } from '../work.ts'
import { lookedAt, madeOf } from './made-of.ts'

/** All operations, writes too: what the peers make. */
export function optionsFor(document: DocumentId): OpenApiOptions {
  const { name, origins } = DOCUMENTS[document]
  return { name, origins, allow: 'all' }
}

export function surehandOpenApi(document: DocumentId): Work {
  return working(document, madeOf)
}

/** What our tools cost whoever shows all of them, and what the peers that read both schemas are compared with. */
export function surehandLookedAt(document: DocumentId): Work {
  return working(document, lookedAt)
}

function working(document: DocumentId, made: (read: OpenApiRead, name: string) => Made): Work {
  const options = optionsFor(document)
  return { takes: 'text', make: (text) => made(readOpenApi(text, options), options.name) }
}
