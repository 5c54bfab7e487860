import { ToolError } from '@surehand/core'
import { fromProviderStatus } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import type { SourceAnswer } from '@surehand/vault'
import { codedError, type GraphqlProblem, problemDetails, readProblems } from './problems.ts'

/** A GraphQL response, in either media type. */
export type GraphqlResponse = {
  readonly data: unknown
  readonly hasData: boolean
  readonly problems: readonly GraphqlProblem[]
  readonly details: { readonly retry_after_ms?: number }
}

// A tool's answer may be 64 levels deep, and the data is two levels below the top of the response.
const DEEPEST = 60

/** Reads the GraphQL response from an HTTP answer; throws the error that its status means. */
export function readAnswer(answer: SourceAnswer, server: string): GraphqlResponse {
  const { status, isCut } = answer
  const isFine = status >= 200 && status < 300
  const response = isCut ? undefined : readResponse(answer)
  if (!isFine) throw statusError(answer, response?.problems ?? [], server)
  if (isCut)
    throw unreadableAnswer(
      `${server} sent a larger answer than is accepted here; ask for fewer items or fewer fields`,
    )
  if (response === undefined)
    throw unreadableAnswer(`${server} did not answer with a GraphQL response`)
  return response
}

function readResponse({ body, headers }: SourceAnswer): GraphqlResponse | undefined {
  const text = new TextDecoder().decode(body)
  if (isDeeperThan(text, DEEPEST)) return undefined
  const value = parseJson(text)
  if (!isRecord(value)) return undefined
  const hasData = Object.hasOwn(value, 'data')
  const problems = readProblems(value.errors)
  if (!hasData && problems.length === 0) return undefined
  return {
    data: value.data ?? null,
    hasData,
    problems,
    details: retryAfter(headers['retry-after']),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// Checked before parsing: later code recurses over the value.
function isDeeperThan(text: string, most: number): boolean {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 34) {
      for (index++; index < text.length && text.charCodeAt(index) !== 34; index++)
        if (text.charCodeAt(index) === 92) index++
    } else if (code === 123 || code === 91) {
      if (++depth > most) return true
    } else if (code === 125 || code === 93) depth--
  }
  return false
}

/**
 * The error for a failed status. Codes in the body give the reason, but "no effect" only if the
 * status confirms it.
 */
function statusError(
  { status, headers }: SourceAnswer,
  problems: readonly GraphqlProblem[],
  server: string,
): ToolError {
  const byStatus = fromProviderStatus(
    status,
    `${server} answered ${status}${problems.length === 0 ? '.' : `: ${problems[0]?.message}`}`,
    {
      ...problemDetails(problems),
      ...retryAfter(headers['retry-after']),
    },
  )
  if (byStatus.effect === 'possible' || problems.length === 0) return byStatus
  return codedError(problems, server, { ...byStatus.details }) ?? byStatus
}

function retryAfter(seconds: string | undefined): { readonly retry_after_ms?: number } {
  return seconds !== undefined && /^[0-9]{1,6}$/.test(seconds)
    ? { retry_after_ms: Number(seconds) * 1_000 }
    : {}
}

function unreadableAnswer(what: string): ToolError {
  return new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', `${what}.`, { effect: 'possible' })
}
