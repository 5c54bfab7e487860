import { isToolError, ToolError } from '@surehand/core'
import { fromNetworkFailure, fromProviderStatus, type PackGiven } from '@surehand/core/host'
import type { Fetch } from '@surehand/vendors'
import { z } from 'zod'
import type { Shopper } from '../commerce/commerce-port.ts'
import type { SiteContract } from '../contract/site-contract.ts'
import { ORDER, OrderOrError, PLAIN_ORDER, VendureOrder } from './vendure-order.ts'

type VendureAccess = {
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
async function sendToVendure<S extends z.ZodType>(
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
function requireResult<T>(result: T): Exclude<T, { errorCode: string }> {
  const refusal = ErrorResult.safeParse(result)
  if (!refusal.success) return result as Exclude<T, { errorCode: string }>
  const { errorCode, message } = refusal.data
  throw new ToolError('TOOL_GATE_CLOSED', `Vendure refused it (${errorCode}): ${message}`, {
    effect: 'refused',
    details: { source_code: errorCode },
  })
}

export type VendureSettings = NonNullable<SiteContract['commerce']>
export type VendureParts = VendureAccess & { readonly settings: VendureSettings }
type Variables = Readonly<Record<string, unknown>>
type Operation = {
  readonly query: string
  readonly variables: Variables
  readonly signal: AbortSignal
}

/** The operations of the Shop API that the adapter is made of. */
export type VendureClient = {
  readonly partsFor: (tenant: string) => Promise<VendureParts>
  readonly send: <S extends z.ZodType>(
    shopper: Shopper,
    operation: Operation,
    answer: S,
  ) => Promise<z.output<S>>
  /** Runs a mutation that returns the order, or throws the refusal that Vendure states. */
  readonly mutate: (
    shopper: Shopper,
    call: string,
    variables: Variables,
    signal: AbortSignal,
  ) => Promise<VendureOrder>
  readonly activeOrder: (shopper: Shopper, signal: AbortSignal) => Promise<VendureOrder | null>
  readonly orderByCode: (
    shopper: Shopper,
    code: string,
    signal: AbortSignal,
  ) => Promise<VendureOrder | null>
  readonly requireOrder: (
    shopper: Shopper,
    code: string,
    signal: AbortSignal,
  ) => Promise<VendureOrder>
}

const Found = z.object({ order: VendureOrder.nullable() })

export function vendureClient(partsFor: VendureClient['partsFor']): VendureClient {
  const send: VendureClient['send'] = async (shopper, operation, answer) =>
    sendToVendure(await partsFor(shopper.tenant), shopper, operation, answer)

  const activeOrder: VendureClient['activeOrder'] = async (shopper, signal) => {
    const operation = { query: `{ order: activeOrder ${PLAIN_ORDER} }`, variables: {}, signal }
    return (await send(shopper, operation, Found)).order
  }
  const orderByCode: VendureClient['orderByCode'] = async (shopper, code, signal) => {
    const active = await activeOrder(shopper, signal)
    if (active?.code === code) return active
    const query = `query ($code: String!) { order: orderByCode(code: $code) ${PLAIN_ORDER} }`
    return (await send(shopper, { query, variables: { code }, signal }, Found)).order
  }
  return {
    partsFor,
    send,
    activeOrder,
    orderByCode,
    async mutate(shopper, call, variables, signal) {
      const declared = Object.keys(variables).map((name) => `$${name}: ${TYPES[name] ?? 'String!'}`)
      const head = declared.length === 0 ? '' : `(${declared.join(', ')})`
      const query = `mutation ${head} { result: ${call} { ${ORDER} } }`
      const answer = z.object({ result: OrderOrError })
      const { result } = await send(shopper, { query, variables, signal }, answer)
      return requireResult(result) as VendureOrder
    },
    async requireOrder(shopper, code, signal) {
      const order = await orderByCode(shopper, code, signal)
      if (order !== null) return order
      throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no cart ${code}.`, {
        effect: 'none',
      })
    },
  }
}

const TYPES: Readonly<Record<string, string>> = {
  id: 'ID!',
  quantity: 'Int!',
  payment: 'PaymentInput!',
  customer: 'CreateCustomerInput!',
  address: 'CreateAddressInput!',
  methods: '[ID!]!',
}
