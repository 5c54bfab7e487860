import { isToolError, ToolError } from '@surehand/core'
import { fromNetworkFailure, fromProviderStatus, type PackGiven } from '@surehand/core/host'
import type { Fetch } from '@surehand/vendors'
import { z } from 'zod'
import type { Shopper } from '../commerce/commerce-port.ts'

export type VendureAccess = {
  /** The Shop API, such as https://shop.example/shop-api. */
  readonly url: string
  readonly fetch: Fetch
  readonly values: PackGiven['values']
}

const Answer = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(z.object({ message: z.string() })).optional(),
})

const TOKEN_MS = 30 * 86_400_000

/**
 * Sends one operation to Vendure's Shop API as the visitor. Vendure identifies a session by the
 * token that it returned with its first answer.
 */
export async function sendToVendure<S extends z.ZodType>(
  { url, fetch, values }: VendureAccess,
  { tenant, session }: Shopper,
  operation: {
    readonly query: string
    readonly variables: Readonly<Record<string, unknown>>
    readonly signal: AbortSignal
  },
  answer: S,
): Promise<z.output<S>> {
  const { query, variables, signal } = operation
  const key = `site/vendure-token/${session}`
  const token = await values.get(tenant, key)
  try {
    const response = await fetch(url, {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query, variables }),
    })
    const text = await response.text()
    const next = response.headers.get('vendure-auth-token')
    if (next !== null && next !== token) await values.set(tenant, key, next, TOKEN_MS)
    if (!response.ok)
      throw fromProviderStatus(response.status, `Vendure answered ${response.status}.`)
    return readAnswer(text, answer)
  } catch (thrown) {
    const isAbort = thrown instanceof Error && /^(Abort|Timeout)Error$/.test(thrown.name)
    throw isToolError(thrown) || isAbort ? thrown : fromNetworkFailure(thrown, 'Vendure')
  }
}

function readAnswer<S extends z.ZodType>(text: string, answer: S): z.output<S> {
  const parsed = Answer.safeParse(parseJson(text))
  const [error] = parsed.data?.errors ?? []
  if (error !== undefined)
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      `Vendure refused it: ${error.message.slice(0, 300)}`,
      { effect: 'refused' },
    )
  const data = answer.safeParse(parsed.data?.data)
  if (data.success) return data.data
  throw new ToolError(
    'TOOL_EXTERNAL_SERVICE_ERROR',
    'Vendure sent an answer that cannot be read.',
    {
      effect: 'possible',
      cause: data.error,
    },
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Members of every ErrorResult of the Shop API. */
const ErrorResult = z.object({ errorCode: z.string(), message: z.string() })

/** The result of a mutation, or the refusal that Vendure states: then nothing has happened. */
export function requireResult<T>(result: T): Exclude<T, { errorCode: string }> {
  const refusal = ErrorResult.safeParse(result)
  if (!refusal.success) return result as Exclude<T, { errorCode: string }>
  const { errorCode, message } = refusal.data
  throw new ToolError('TOOL_GATE_CLOSED', `Vendure refused it (${errorCode}): ${message}`, {
    effect: 'refused',
    details: { source_code: errorCode },
  })
}
