import { ToolError, type ToolErrorCode } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import { type EffectTrace, isRecord } from '@surehand/core/internal'

/** An entry of a response's `errors`. */
export type GraphqlProblem = {
  readonly message: string
  /** Where in the answer it happened; undefined if the whole request was refused. */
  readonly path: readonly string[] | undefined
  readonly code: string | undefined
}

type Reading = { readonly code: ToolErrorCode; readonly effect: EffectTrace }

const unauthenticated: Reading = { code: 'TOOL_API_KEY_INVALID', effect: 'none' }
const forbidden: Reading = { code: 'TOOL_RESOURCE_ACCESS_DENIED', effect: 'none' }
const missing: Reading = { code: 'TOOL_RESOURCE_NOT_FOUND', effect: 'refused' }
const invalid: Reading = { code: 'TOOL_INVALID_FIELD_VALUE', effect: 'refused' }
const existing: Reading = { code: 'TOOL_RESOURCE_ALREADY_EXISTS', effect: 'refused' }
const limited: Reading = { code: 'TOOL_RATE_LIMIT_EXCEEDED', effect: 'none' }

// The codes of Apollo, GitHub, Hasura, Shopify and graphql-java.
const CODES: ReadonlyMap<string, Reading> = new Map([
  ...['UNAUTHENTICATED', 'UNAUTHORIZED', 'INVALID_JWT', 'INVALID_TOKEN', 'INVALID_HEADERS'].map(
    codeWith(unauthenticated),
  ),
  ...[
    'FORBIDDEN',
    'ACCESS_DENIED',
    'PERMISSION_DENIED',
    'PERMISSION_ERROR',
    'INSUFFICIENT_SCOPES',
  ].map(codeWith(forbidden)),
  ...['NOT_FOUND', 'NOTFOUND'].map(codeWith(missing)),
  ...[
    'BAD_USER_INPUT',
    'BAD_REQUEST',
    'INVALID_INPUT',
    'UNPROCESSABLE',
    'VALIDATION_FAILED',
    'VALIDATIONERROR',
  ].map(codeWith(invalid)),
  ...[
    'GRAPHQL_VALIDATION_FAILED',
    'GRAPHQL_PARSE_FAILED',
    'INVALIDSYNTAX',
    'ARGUMENTLITERALSINCOMPATIBLE',
  ].map(codeWith(invalid)),
  ...['CONFLICT', 'ALREADY_EXISTS', 'CONSTRAINT_VIOLATION'].map(codeWith(existing)),
  ...[
    'RATE_LIMITED',
    'RATE_LIMIT',
    'RATELIMITED',
    'THROTTLED',
    'TOO_MANY_REQUESTS',
    'MAX_COST_EXCEEDED',
  ].map(codeWith(limited)),
])

const MOST_PROBLEMS = 10
const LONGEST_MESSAGE = 2_000
const LONGEST_PATH = 20

function codeWith(reading: Reading): (code: string) => readonly [string, Reading] {
  return (code) => [code, reading]
}

export function readProblems(errors: unknown): readonly GraphqlProblem[] {
  return Array.isArray(errors) ? errors.slice(0, MOST_PROBLEMS).map(readProblem) : []
}

function readProblem(error: unknown): GraphqlProblem {
  if (!isRecord(error))
    return { message: 'an error without a message', path: undefined, code: undefined }
  const { message, path } = error
  return {
    message:
      typeof message === 'string' && message !== ''
        ? visibleMessage(message)
        : 'an error without a message',
    path: Array.isArray(path)
      ? path
          .slice(0, LONGEST_PATH)
          .map((step) => visibleText(String(step).slice(0, 256).toWellFormed()))
      : undefined,
    code: readCode(error),
  }
}

// Not truncated: the cut could leave half a secret, which the scrubber would not recognize.
function visibleMessage(message: string): string {
  return message.length <= LONGEST_MESSAGE
    ? visibleText(message.toWellFormed())
    : `(left out: longer than ${LONGEST_MESSAGE} characters)`
}

function readCode(error: Readonly<Record<string, unknown>>): string | undefined {
  const extensions = isRecord(error.extensions) ? error.extensions : {}
  const said = [extensions.code, error.type, extensions.type, extensions.classification]
  const code = said.find((one) => typeof one === 'string' && /^[A-Za-z0-9_ .-]{1,64}$/.test(one))
  return typeof code === 'string' ? code.toUpperCase().replaceAll(/[ .-]/g, '_') : undefined
}

/** The problems in the form that error details and partial answers use. */
export function problemDetails(problems: readonly GraphqlProblem[]): {
  readonly provider_errors?: readonly object[]
} {
  return problems.length === 0 ? {} : { provider_errors: problems.map(problemJson) }
}

export function problemJson({ message, path, code }: GraphqlProblem): object {
  return {
    message,
    ...(path === undefined ? {} : { path: path.join('.') }),
    ...(code === undefined ? {} : { code }),
  }
}

/** The error for the first problem whose code is known. */
export function codedError(
  problems: readonly GraphqlProblem[],
  server: string,
  details: object,
): ToolError | undefined {
  const found = problems.find(({ code }) => code !== undefined && CODES.has(code))
  const reading = CODES.get(found?.code ?? '')
  if (found === undefined || reading === undefined) return undefined
  return new ToolError(reading.code, `${server} says: ${found.message}`, {
    effect: reading.effect,
    details: { ...details, ...problemDetails(problems), source_code: found.code },
  })
}
