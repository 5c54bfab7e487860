import { isToolError, ToolError } from '@surehand/core'
import { type ForeignCall, type ForeignSource, fromNetworkFailure } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import type { SecurityNeed, Send, SourceAnswer, SourceRequest } from '@surehand/vault'
import type { SelectedField, Selection } from './answer/selection.ts'
import { readAnswer } from './call/read-answer.ts'
import { serverName, toToolAnswer } from './call/to-tool-answer.ts'
import { documentOf, operationName } from './operation/document.ts'
import type { GraphqlOperation } from './operation/operation.ts'

export type GraphqlSettings = {
  /** How the server authenticates callers. A schema does not say this, so the importer does. */
  readonly security?: readonly (readonly SecurityNeed[])[]
  readonly maxBytes?: number
}

const MAX_BYTES = 5 * 1024 * 1024

/**
 * Executes the tools of a schema. Each call is one POST of a document that was built when the
 * schema was read.
 */
export function graphqlSource(
  operations: readonly GraphqlOperation[],
  send: Send,
  settings: GraphqlSettings = {},
): ForeignSource {
  const byId = new Map(operations.map((operation) => [operation.id, operation]))

  async function sendCall(
    call: ForeignCall,
    kind: GraphqlOperation['kind'],
    signal: AbortSignal,
  ): Promise<unknown> {
    const operation = byId.get(call.tool)
    // A mutation that runs as a read would be retried and never recorded.
    if (operation?.kind !== kind)
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        `${call.tool} is not a ${kind} of this source.`,
        { effect: 'none' },
      )
    const input = isRecord(call.input) ? call.input : {}
    const selection = chooseSelection(operation, input)
    const answer = await sendRequest(
      send,
      { request: buildRequest(operation, { input, selection, call, settings }), call, signal },
      operation,
    )
    return toToolAnswer(operation, selection, readAnswer(answer, serverName(operation)))
  }

  return {
    read: (call, signal) => sendCall(call, 'query', signal),
    write: (call, signal) => sendCall(call, 'mutation', signal),
    writeOnce: (call, signal) => sendCall(call, 'mutation', signal),
  }
}

function chooseSelection(
  { selection, choice }: GraphqlOperation,
  input: Readonly<Record<string, unknown>>,
): Selection | undefined {
  const paths = choice === undefined ? undefined : input[choice]
  return selection === undefined || choice === undefined || !Array.isArray(paths)
    ? selection
    : narrowSelection(selection, paths, choice)
}

type RequestParts = {
  readonly input: Readonly<Record<string, unknown>>
  readonly selection: Selection | undefined
  readonly call: ForeignCall
  readonly settings: GraphqlSettings
}

function buildRequest(
  operation: GraphqlOperation,
  { input, selection, call, settings }: RequestParts,
): SourceRequest {
  // Only variables that the document declares, with the values that were validated.
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

async function sendRequest(
  send: Send,
  { request, call, signal }: Sending,
  operation: GraphqlOperation,
): Promise<SourceAnswer> {
  try {
    return await send(request, call, signal)
  } catch (thrown) {
    if (isToolError(thrown) || signal.aborted) throw thrown
    throw fromNetworkFailure(thrown, serverName(operation))
  }
}

const SHOWN_PATHS = 100

/** Reduces a selection to the given paths. A path that is not part of it is an error. */
function narrowSelection(
  selection: Selection,
  paths: readonly string[],
  argument: string,
): Selection {
  const wanted = paths.map((path) => path.split('.'))
  const unknown = paths.filter((_, index) => !isPathOf(selection, wanted[index] ?? []))
  if (unknown.length > 0) throw noSuchPath(unknown, selection, argument)
  return keepPaths(selection, wanted)
}

function isPathOf(selection: Selection, [first, ...rest]: readonly string[]): boolean {
  return selection.some(
    ({ name, fields }) =>
      name === first && (rest.length === 0 || (fields !== undefined && isPathOf(fields, rest))),
  )
}

// `__typename` stays: without it the fields of a union cannot be read.
function keepPaths(selection: Selection, paths: readonly (readonly string[])[]): Selection {
  return selection.flatMap((field): readonly SelectedField[] => {
    if (field.name === '__typename') return [field]
    const own = paths.filter(([first]) => first === field.name).map((path) => path.slice(1))
    if (own.length === 0) return []
    if (field.fields === undefined || own.some((path) => path.length === 0)) return [field]
    const fields = keepPaths(field.fields, own)
    return fields.length === 0 ? [] : [{ ...field, fields }]
  })
}

function noSuchPath(unknown: readonly string[], selection: Selection, argument: string): ToolError {
  const error = 'is not part of the answer'
  return new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `${argument} names parts that the answer does not have: ${unknown.slice(0, 5).join(', ')}.`,
    {
      effect: 'none',
      details: {
        validation_errors: unknown.map((path) => ({
          field: argument,
          error,
          provided_value: path,
        })),
        possible_values: [...new Set(listPaths(selection, ''))].slice(0, SHOWN_PATHS),
      },
    },
  )
}

function listPaths(selection: Selection, before: string): readonly string[] {
  return selection.flatMap(({ name, fields }) => [
    `${before}${name}`,
    ...(fields === undefined ? [] : listPaths(fields, `${before}${name}.`)),
  ])
}
