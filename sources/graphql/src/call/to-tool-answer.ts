import { ToolError } from '@surehand/core'
import { isRecord } from '@surehand/core/internal'
import type { Selection } from '../answer/selection.ts'
import type { GraphqlOperation } from '../operation/operation.ts'
import { codedError, type GraphqlProblem, problemDetails, problemJson } from './problems.ts'
import type { GraphqlResponse } from './read-answer.ts'

const KEPT_EVIDENCE = 16 * 1024

/**
 * Turns a response into the tool's answer, an answer with gaps, or an error that reports the
 * effect.
 */
export function toToolAnswer(
  operation: GraphqlOperation,
  selection: Selection | undefined,
  response: GraphqlResponse,
): unknown {
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

export function serverName({ endpoint }: GraphqlOperation): string {
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
