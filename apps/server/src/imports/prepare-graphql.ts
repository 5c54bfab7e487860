import { catalogueTokens, type Overlay, readGraphql, toCache } from '@surehand/graphql'
import type { Preparation } from '@surehand/imports'
import type { GraphqlSettings } from './graphql-kind.ts'
import { PREPARED } from './prepared.ts'

export type GraphqlRequest = {
  readonly document: string
  readonly name: string
  readonly settings: GraphqlSettings
}

/** Turns a schema into the prepared form of its tools, and a report. */
export function prepareGraphql({ document, name, settings }: GraphqlRequest): Preparation {
  const { endpoint, allow, overlay, maxDepth, maxCost } = settings
  const read = readGraphql(document, {
    name,
    endpoint,
    ...(allow === undefined ? {} : { allow }),
    // the source checks each entry of the overlay itself
    ...(overlay === undefined ? {} : { overlay: overlay as Overlay }),
    ...(maxDepth === undefined ? {} : { maxDepth }),
    ...(maxCost === undefined ? {} : { maxCost }),
  })
  const { operations, leftOut, notes, flaws, unmatched } = read.report
  return {
    prepared: toCache(read, PREPARED),
    report: {
      operations,
      taken: read.operations.map(({ id }) => id),
      leftOut,
      losses: [
        ...notes.map(({ operation, note }) => ({ tool: operation, what: note })),
        ...flaws.map((what) => ({ tool: name, what })),
      ],
      tokens: catalogueTokens(read.operations),
      unmatched,
    },
  }
}
