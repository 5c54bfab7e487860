import { createHash } from 'node:crypto'
import { isToolError, ToolError, type ToolErrorCode } from '@surehand/core'
import { fromNetworkFailure, fromProviderStatus } from '@surehand/core/host'
import type { Fetch } from '@surehand/vendors'
import { z } from 'zod'

export type ShopRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly idempotencyKey?: string
  readonly signal: AbortSignal
}

/** How a provider reaches a shop. */
export type ShopAccess = { readonly baseUrl: string; readonly fetch: Fetch }

/** The visitor as the shop knows them: our own session ids are not for others. */
export function shopSession({ tenant, session }: { tenant: string; session: string }): string {
  return createHash('sha256').update(`${tenant}/${session}`).digest('base64url')
}

// RFC 9457, with a code for programs.
const Problem = z.object({ code: z.string(), detail: z.string().default('') })

const CODES: Readonly<Record<string, ToolErrorCode>> = {
  not_found: 'TOOL_RESOURCE_NOT_FOUND',
  cart_changed: 'TOOL_GATE_CLOSED',
  total_changed: 'TOOL_GATE_CLOSED',
  price_changed: 'TOOL_GATE_CLOSED',
  fee_changed: 'TOOL_GATE_CLOSED',
  slot_taken: 'TOOL_GATE_CLOSED',
  out_of_stock: 'TOOL_GATE_CLOSED',
  payment_declined: 'TOOL_GATE_CLOSED',
}

/**
 * Sends a request to a shop and parses its answer. A problem that the shop states is a refusal:
 * nothing has happened. Other failures leave it open whether something has.
 */
export async function sendToShop<S extends z.ZodType>(
  { baseUrl, fetch }: ShopAccess,
  { method, path, body, idempotencyKey, signal }: ShopRequest,
  answer: S,
): Promise<z.output<S>> {
  const response = await withNetworkErrors(() =>
    fetch(`${baseUrl}${path}`, {
      method,
      signal,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  const text = await withNetworkErrors(() => response.text())
  if (!response.ok) throw toShopError(response.status, text)
  const parsed = answer.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw new ToolError(
    'TOOL_EXTERNAL_SERVICE_ERROR',
    'The shop sent an answer that cannot be read.',
    {
      effect: 'possible',
      cause: parsed.error,
    },
  )
}

async function withNetworkErrors<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (thrown) {
    const isAbort =
      thrown instanceof Error && (thrown.name === 'AbortError' || thrown.name === 'TimeoutError')
    throw isToolError(thrown) || isAbort ? thrown : fromNetworkFailure(thrown, 'The shop')
  }
}

function toShopError(status: number, text: string): ToolError {
  const problem = Problem.safeParse(parseJson(text))
  if (!problem.success || status >= 500 || status === 429)
    return fromProviderStatus(status, `The shop answered with the status ${status}.`)
  const { code, detail } = problem.data
  return new ToolError(
    CODES[code] ?? (status === 409 ? 'TOOL_GATE_CLOSED' : 'TOOL_INVALID_FIELD_VALUE'),
    `The shop refused it (${code}): ${detail.slice(0, 300)}`,
    { effect: 'refused', details: { source_code: code, provider_status: status } },
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
