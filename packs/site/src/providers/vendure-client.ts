import { ToolError } from '@surehand/core'
import { z } from 'zod'
import type { Shopper } from '../commerce/commerce-port.ts'
import type { SiteContract } from '../contract/site-contract.ts'
import { requireResult, sendToVendure, type VendureAccess } from './vendure-api.ts'
import { ORDER, OrderOrError, PLAIN_ORDER, VendureOrder } from './vendure-order.ts'

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
