import type { ImportReport, Preparation } from '@surehand/imports'
import {
  catalogueTokens,
  type OpenApiOptions,
  type OpenApiRead,
  planOrUndefined,
  readOpenApi,
  toCache,
} from '@surehand/openapi'
import { listNeeds } from './list-needs.ts'
import type { OpenApiSettings } from './openapi-kind.ts'
import { PREPARED } from './prepared.ts'

export type OpenApiRequest = {
  readonly document: string
  readonly name: string
  readonly settings: OpenApiSettings
}

/**
 * Turns a document into the prepared form of its tools, and a report. Both are computed on first
 * access.
 */
export function prepareOpenApi({ document, name, settings }: OpenApiRequest): Preparation {
  const read = readOpenApi(document, optionsOf(name, settings))
  return {
    get prepared() {
      return toCache(read, PREPARED)
    },
    get report() {
      return reportOf(read, name, settings)
    },
  }
}

function reportOf(
  { operations, report }: OpenApiRead,
  name: string,
  settings: OpenApiSettings,
): ImportReport {
  const { leftOut, losses, dropped, unmatched, document } = report
  return {
    operations: document.operations,
    taken: operations
      .filter((one) => planOrUndefined(one) !== undefined)
      .map(({ toolId }) => toolId),
    leftOut: leftOut.map(({ key, reason }) => ({ operation: key, reason })),
    losses: [
      ...losses.map(({ toolId, place, what }) => ({ tool: toolId, what: `${place}: ${what}` })),
      ...dropped.map(({ toolId, parameter, reason }) => ({
        tool: toolId,
        what: `${parameter}: ${reason}`,
      })),
      ...document.notes.map((what) => ({ tool: name, what })),
    ],
    tokens: catalogueTokens(operations),
    unmatched,
    needs: listNeeds(operations, settings),
  }
}

function optionsOf(
  name: string,
  { allow, sidecar, overlay, address, origins, auth }: OpenApiSettings,
): OpenApiOptions {
  return {
    name,
    ...(allow === undefined ? {} : { allow }),
    // the source checks each entry of the sidecar itself
    ...(sidecar === undefined
      ? {}
      : { sidecar: sidecar as NonNullable<OpenApiOptions['sidecar']> }),
    ...(overlay === undefined ? {} : { overlay }),
    ...(address === undefined ? {} : { address }),
    ...(origins === undefined ? {} : { origins }),
    ...(auth === undefined
      ? {}
      : { security: [[{ scheme: 'server', scopes: [], type: 'http', http: auth }]] }),
  }
}
