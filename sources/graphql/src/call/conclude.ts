import { ToolError } from '@surehand/core'
import { isRecord } from '@surehand/core/internal'
import type { Selection } from '../answer/selection.ts'
import type { GraphqlOperation } from '../operation/operation.ts'
import { codedError, type GraphqlProblem, problemDetails, problemJson } from './problems.ts'
import { project } from './project.ts'
import type { GraphqlResponse } from './read-answer.ts'

const KEPT_EVIDENCE = 16 * 1024

/** What a response means for the tool: an answer, an answer with gaps, or an error with what is known of the effect. */
export function conclude(
  operation: GraphqlOperation,
  selection: Selection | undefined,
  response: GraphqlResponse,
): unknown {
  const { problems } = response
  const found = operation.path.reduce<unknown>(
    (value, { field }) => (isRecord(value) ? value[field] : undefined),
    response.data,
  )
  const data = project(found, selection) ?? null
  if (problems.length === 0) {
    if (response.data === null) throw nothingSaid(operation)
    return { data }
  }
  if (operation.kind === 'mutation') throw failedMutation(operation, response, data)
  // nothing came, and why: that is no answer, and must not read as "there is none"
  if (data === null)
    throw (
      codedError(problems, serverOf(operation), response.details) ?? uncoded(operation, problems)
    )
  return { data, incomplete: gaps(problems), errors: problems.map(problemJson) }
}

function gaps(problems: readonly GraphqlProblem[]): string {
  const paths = [...new Set(problems.map(({ path }) => path?.join('.') ?? 'a part without a name'))]
  return `Parts of this answer are missing because the server failed on them, not because there is nothing: ${paths.join(', ')}.`
}

/**
 * What errors say of a mutation's effect. Without `data` the request was refused before anything ran. An error of the mutation's own
 * field is its no, if its code says so. An error within its result comes after the effect, whatever its code.
 */
function failedMutation(
  operation: GraphqlOperation,
  { hasData, problems, details }: GraphqlResponse,
  data: unknown,
): ToolError {
  const coded = codedError(problems, serverOf(operation), details)
  if (!hasData) return coded ?? uncoded(operation, problems, 'refused')
  const isOwn =
    data === null &&
    problems.every(({ path }) => path === undefined || path.length <= operation.path.length)
  if (isOwn) return coded ?? uncoded(operation, problems)
  const evidence = JSON.stringify(data).length <= KEPT_EVIDENCE ? { partial_data: data } : {}
  return new ToolError(
    'TOOL_EXTERNAL_SERVICE_ERROR',
    `${serverOf(operation)} failed while it answered ${operation.source}: it has probably been done. It says: ${problems[0]?.message}`,
    { effect: 'possible', details: { ...problemDetails(problems), ...evidence } },
  )
}

function uncoded(
  operation: GraphqlOperation,
  problems: readonly GraphqlProblem[],
  effect: 'refused' | 'possible' = 'possible',
): ToolError {
  const code = effect === 'refused' ? 'TOOL_INVALID_FIELD_VALUE' : 'TOOL_EXTERNAL_SERVICE_ERROR'
  const { message, code: sourceCode } = problems[0] ?? { message: 'nothing', code: undefined }
  return new ToolError(code, `${serverOf(operation)} says: ${message}`, {
    effect,
    details: {
      ...problemDetails(problems),
      ...(sourceCode === undefined ? {} : { source_code: sourceCode }),
    },
  })
}

function nothingSaid(operation: GraphqlOperation): ToolError {
  return new ToolError(
    'TOOL_EXTERNAL_SERVICE_ERROR',
    `${serverOf(operation)} answered with neither data nor an error.`,
    {
      effect: 'possible',
    },
  )
}

export function serverOf({ endpoint }: GraphqlOperation): string {
  return new URL(endpoint).host
}
