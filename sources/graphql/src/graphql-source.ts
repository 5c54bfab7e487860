import { isToolError, ToolError } from '@surehand/core'
import {
  type ForeignCall,
  type ForeignSource,
  fromNetworkFailure,
  type KeepFile,
} from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import type { SecurityNeed, Send, SourceAnswer, SourceRequest } from '@surehand/vault'
import type { SelectedField, Selection } from './answer/selection.ts'
import { keepLargeAnswer, type ToolAnswer } from './call/keep-large-answer.ts'
import { codedError, type GraphqlProblem, problemDetails, problemJson } from './call/problems.ts'
import { type GraphqlResponse, readAnswer } from './call/read-answer.ts'
import { documentOf, operationName } from './operation/document.ts'
import type { GraphqlOperation } from './operation/operation.ts'

export type GraphqlSettings = {
  /** How the server authenticates callers. A schema does not say this, so the importer does. */
  readonly security?: readonly (readonly SecurityNeed[])[]
  readonly maxBytes?: number
  /** Stores what is too large for an answer; without it, the whole answer is returned. */
  readonly keep?: KeepFile
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
    const read = toToolAnswer(operation, selection, readAnswer(answer, serverName(operation)))
    return keepLargeAnswer(read, call.caller, settings.keep)
  }

  return {
    read: (call, signal) => sendCall(call, 'query', signal),
    write: (call, signal) => sendCall(call, 'mutation', signal),
    writeOnce: (call, signal) => sendCall(call, 'mutation', signal),
  }
}

function chooseSelection(
  { kind, selection, offered, choice }: GraphqlOperation,
  input: Readonly<Record<string, unknown>>,
): Selection | undefined {
  const paths = choice === undefined ? undefined : input[choice]
  if (offered === undefined || choice === undefined || !Array.isArray(paths)) return selection
  const narrowed = narrowSelection(offered, paths, choice)
  // What went wrong with a write is part of every answer.
  const errors = kind === 'query' ? [] : offered.filter(({ name }) => /errors$/i.test(name))
  return [...narrowed, ...errors.filter((one) => !narrowed.some(({ name }) => name === one.name))]
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
    if (field.fields === undefined) return [field]
    if (own.some((path) => path.length === 0))
      return [{ ...field, fields: ownValues(field.fields) }]
    const fields = keepPaths(field.fields, own)
    return fields.length === 0 ? [] : [{ ...field, fields }]
  })
}

// An object that is asked for as a whole: its own values, or what is in it if it has none.
function ownValues(fields: Selection): Selection {
  const values = fields.filter((field) => field.fields === undefined)
  return values.some(({ name }) => name !== '__typename') ? values : fields
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

const KEPT_EVIDENCE = 16 * 1024

/**
 * Turns a response into the tool's answer, an answer with gaps, or an error that reports the
 * effect.
 */
function toToolAnswer(
  operation: GraphqlOperation,
  selection: Selection | undefined,
  response: GraphqlResponse,
): ToolAnswer {
  const { problems } = response
  const found = operation.path.reduce<unknown>(
    (value, { field }) => (isRecord(value) ? value[field] : undefined),
    response.data,
  )
  const data = projectAnswer(found, selection) ?? null
  if (problems.length === 0) {
    if (response.data === null) throw emptyAnswerError(operation)
    return { data }
  }
  if (operation.kind === 'mutation') throw mutationError(operation, response, data)
  // A null because of an error must not look like "there is no such thing".
  if (data === null)
    throw (
      codedError(problems, serverName(operation), response.details) ??
      errorWithoutCode(operation, problems)
    )
  return { data, incomplete: describeGaps(problems), errors: problems.map(problemJson) }
}

function describeGaps(problems: readonly GraphqlProblem[]): string {
  const paths = [...new Set(problems.map(({ path }) => path?.join('.') ?? 'a part without a name'))]
  return `Parts of this answer are missing because the server failed on them, not because there is nothing: ${paths.join(', ')}.`
}

/**
 * What the errors say about a mutation's effect. Without `data` the request was refused before
 * anything ran. An error of the mutation's own field is a refusal if its code says so. An error
 * within its result comes after the effect, whatever its code.
 */
function mutationError(
  operation: GraphqlOperation,
  { hasData, problems, details }: GraphqlResponse,
  data: unknown,
): ToolError {
  const coded = codedError(problems, serverName(operation), details)
  if (!hasData) return coded ?? errorWithoutCode(operation, problems, 'refused')
  const isOwn =
    data === null &&
    problems.every(({ path }) => path === undefined || path.length <= operation.path.length)
  if (isOwn) return coded ?? errorWithoutCode(operation, problems)
  const evidence = JSON.stringify(data).length <= KEPT_EVIDENCE ? { partial_data: data } : {}
  return new ToolError(
    'TOOL_EXTERNAL_SERVICE_ERROR',
    `${serverName(operation)} failed while it answered ${operation.source}, after it probably ran the mutation. It reports: ${problems[0]?.message}`,
    { effect: 'possible', details: { ...problemDetails(problems), ...evidence } },
  )
}

function errorWithoutCode(
  operation: GraphqlOperation,
  problems: readonly GraphqlProblem[],
  effect: 'refused' | 'possible' = 'possible',
): ToolError {
  const code = effect === 'refused' ? 'TOOL_INVALID_FIELD_VALUE' : 'TOOL_EXTERNAL_SERVICE_ERROR'
  const { message, code: sourceCode } = problems[0] ?? { message: 'nothing', code: undefined }
  return new ToolError(code, `${serverName(operation)} says: ${message}`, {
    effect,
    details: {
      ...problemDetails(problems),
      ...(sourceCode === undefined ? {} : { source_code: sourceCode }),
    },
  })
}

function emptyAnswerError(operation: GraphqlOperation): ToolError {
  return new ToolError(
    'TOOL_EXTERNAL_SERVICE_ERROR',
    `${serverName(operation)} answered with neither data nor an error.`,
    {
      effect: 'possible',
    },
  )
}

function serverName({ endpoint }: GraphqlOperation): string {
  return new URL(endpoint).host
}

/** Reduces the server's answer to the selected fields, under their names in the schema. */
function projectAnswer(value: unknown, selection: Selection | undefined): unknown {
  if (selection === undefined) return toPlainJson(value)
  if (Array.isArray(value)) return value.map((item) => projectAnswer(item, selection))
  if (!isRecord(value)) return toPlainJson(value)
  const entries = selection.flatMap(({ name, alias = name, fields }) =>
    Object.hasOwn(value, alias) ? [[name, projectAnswer(value[alias], fields)] as const] : [],
  )
  return Object.fromEntries(entries)
}

// Lone surrogates are not valid JSON text, and keys such as `__proto__` are dropped.
function toPlainJson(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(toPlainJson)
  if (!isRecord(value)) return value ?? null
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      key === '__proto__' ? [] : [[key.toWellFormed(), toPlainJson(member)] as const],
    ),
  )
}
