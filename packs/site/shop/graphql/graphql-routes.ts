import { graphql } from 'graphql'
import { z } from 'zod'
import { readBody } from '../api/read-body.ts'
import { Refusal } from '../refusal.ts'
import { json } from '../web/respond.ts'
import type { Route, Visit } from '../web/route.ts'
import { createRoot } from './root.ts'
import { SCHEMA } from './schema.ts'

const Query = z.object({
  query: z.string().max(20_000),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().max(200).nullish(),
})
const MAX_DEPTH = 16

async function answerQuery(visit: Visit): Promise<Response> {
  const { query, variables, operationName } = await readBody(visit, Query)
  if (depthOf(query) > MAX_DEPTH)
    throw new Refusal(
      'invalid_request',
      `A query is at most ${MAX_DEPTH} levels deep. Ask for less.`,
    )
  const { errors, data } = await graphql({
    schema: SCHEMA,
    source: query,
    rootValue: createRoot(visit.shop),
    variableValues: variables ?? {},
    operationName: operationName ?? null,
  })
  return json({ ...(errors !== undefined && { errors }), ...(data !== undefined && { data }) })
}

function depthOf(query: string): number {
  let depth = 0
  let deepest = 0
  for (const character of query) {
    if (character === '{') deepest = Math.max(deepest, ++depth)
    if (character === '}') depth -= 1
  }
  return deepest
}

export const GRAPHQL_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/graphql', handle: answerQuery },
]
