import { isToolError, ToolError } from '@surehand/core'
import { type ForeignCall, type ForeignSource, fromNetworkFailure } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import type { SecurityNeed, Send, SourceAnswer, SourceRequest } from '@surehand/vault'
import type { Selection } from './answer/selection.ts'
import { conclude, serverOf } from './call/conclude.ts'
import { narrow } from './call/narrow.ts'
import { readAnswer } from './call/read-answer.ts'
import { documentOf, operationName } from './operation/document.ts'
import type { GraphqlOperation } from './operation/operation.ts'

export type GraphqlSettings = {
  /** A schema does not say what its server asks for: whoever imports it does. */
  readonly security?: readonly (readonly SecurityNeed[])[]
  readonly maxBytes?: number
}

const MAX_BYTES = 5 * 1024 * 1024

/** Answers the tools of a schema: each call is one POST of one document that was made when the schema was read. */
export function graphqlSource(
  operations: readonly GraphqlOperation[],
  send: Send,
  settings: GraphqlSettings = {},
): ForeignSource {
  const byId = new Map(operations.map((operation) => [operation.id, operation]))

  async function ask(
    call: ForeignCall,
    kind: GraphqlOperation['kind'],
    signal: AbortSignal,
  ): Promise<unknown> {
    const operation = byId.get(call.tool)
    // a mutation that came by as a read would be retried and never recorded
    if (operation?.kind !== kind)
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        `${call.tool} is no ${kind} of this source.`,
        { effect: 'none' },
      )
    const input = isRecord(call.input) ? call.input : {}
    const selection = selectionFor(operation, input)
    const answer = await sent(
      send,
      { request: requestFor(operation, { input, selection, call, settings }), call, signal },
      operation,
    )
    return conclude(operation, selection, readAnswer(answer, serverOf(operation)))
  }

  return {
    read: (call, signal) => ask(call, 'query', signal),
    write: (call, signal) => ask(call, 'mutation', signal),
    writeOnce: (call, signal) => ask(call, 'mutation', signal),
  }
}

function selectionFor(
  { selection, choice }: GraphqlOperation,
  input: Readonly<Record<string, unknown>>,
): Selection | undefined {
  const paths = choice === undefined ? undefined : input[choice]
  return selection === undefined || choice === undefined || !Array.isArray(paths)
    ? selection
    : narrow(selection, paths, choice)
}

type Asking = {
  readonly input: Readonly<Record<string, unknown>>
  readonly selection: Selection | undefined
  readonly call: ForeignCall
  readonly settings: GraphqlSettings
}

function requestFor(
  operation: GraphqlOperation,
  { input, selection, call, settings }: Asking,
): SourceRequest {
  // only what the document declares, and exactly as it was validated
  const variables = Object.fromEntries(
    operation.variables.flatMap(({ name }) =>
      Object.hasOwn(input, name) ? [[name, input[name]]] : [],
    ),
  )
  const { once } = operation.terms
  return {
    method: 'POST',
    url: operation.endpoint,
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json;q=0.9',
      ...(once === undefined ? {} : { [once.header.toLowerCase()]: call.idempotencyKey }),
    },
    body: JSON.stringify({
      query: documentOf(operation, selection),
      operationName: operationName(operation),
      variables,
    }),
    security: settings.security ?? [],
    maxBytes: settings.maxBytes ?? MAX_BYTES,
  }
}

type Sending = {
  readonly request: SourceRequest
  readonly call: ForeignCall
  readonly signal: AbortSignal
}

async function sent(
  send: Send,
  { request, call, signal }: Sending,
  operation: GraphqlOperation,
): Promise<SourceAnswer> {
  try {
    return await send(request, call, signal)
  } catch (thrown) {
    if (isToolError(thrown) || signal.aborted) throw thrown
    throw fromNetworkFailure(thrown, serverOf(operation))
  }
}
