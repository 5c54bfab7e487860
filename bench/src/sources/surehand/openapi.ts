import {
  type OpenApiOptions,
  type OpenApiRead,
  readOpenApi,
} from '../../../../sources/openapi/src/index.ts'
import { DOCUMENTS, type DocumentId } from '../documents.ts'
import type { CreatedTools, Work } from '../work.ts'
import { createAndReadTools, createTools } from './create-tools.ts'

/** All operations including writes, as the peers do. */
export function optionsFor(document: DocumentId): OpenApiOptions {
  const { name, origins } = DOCUMENTS[document]
  return { name, origins, allow: 'all' }
}

export function surehandOpenApi(document: DocumentId): Work {
  return workWith(document, createTools)
}

/** The cost when all tools are shown; comparable with peers that read both schemas. */
export function surehandOpenApiRead(document: DocumentId): Work {
  return workWith(document, createAndReadTools)
}

function workWith(
  document: DocumentId,
  create: (read: OpenApiRead, name: string) => CreatedTools,
): Work {
  const options = optionsFor(document)
  return { takes: 'text', create: (text) => create(readOpenApi(text, options), options.name) }
}
