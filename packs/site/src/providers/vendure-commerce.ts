import { ToolError } from '@surehand/core'
import { z } from 'zod'
import type { Commerce, Shopper } from '../commerce/commerce-port.ts'
import { type VendureClient, type VendureSettings, vendureClient } from './vendure-client.ts'
import { isPlaced, toCart, toOrder, totalsOf, type VendureOrder } from './vendure-order.ts'

const KEPT_MS = 2 * 86_400_000

/**
 * Vendure's Shop API. It knows no idempotency keys, so a repetition is recognized by its result:
 * before an addition the quantity of the variant is stored under our key, and afterwards compared.
 */
export function vendureCommerce(partsFor: VendureClient['partsFor']): Commerce {
  const client = vendureClient(partsFor)
  return { ...reads(client), ...cartWrites(client), ...orderWrites(client) }
}

function reads(client: VendureClient): Pick<Commerce, 'variants' | 'cart' | 'quote' | 'order'> {
  return {
    variants: ({ shopper, productId }, signal) => readVariants(client, shopper, productId, signal),
    async cart({ shopper, cartId }, signal) {
      const order = await (cartId === undefined
        ? client.activeOrder(shopper, signal)
        : client.orderByCode(shopper, cartId, signal))
      return order === null ? null : toCart(order)
    },
    async quote({ shopper, cartId }, signal) {
      const order = await client.requireOrder(shopper, cartId, signal)
      const { terms } = (await client.partsFor(shopper.tenant)).settings
      return { cartId, lines: toCart(order).lines, totals: totalsOf(order), terms }
    },
    async order({ shopper, cartId }, signal) {
      const order = await client.orderByCode(shopper, cartId, signal)
      return order !== null && isPlaced(order) ? toOrder(order) : null
    },
  }
}

function cartWrites(
  client: VendureClient,
): Pick<Commerce, 'addLine' | 'updateLine' | 'removeLine' | 'applyCoupon'> {
  const { mutate, activeOrder } = client
  return {
    async addLine({ shopper, productId, variantId, quantity, idempotencyKey }, signal) {
      const { values } = await client.partsFor(shopper.tenant)
      const id = variantId ?? (await firstVariant(client, shopper, productId, signal))
      const place = `site/vendure-add/${shopper.session}/${idempotencyKey}`
      const current = await activeOrder(shopper, signal)
      const has = quantityOf(current, id)
      const known = await values.get(shopper.tenant, place)
      if (known === undefined) await values.set(shopper.tenant, place, String(has), KEPT_MS)
      const before = known === undefined ? has : Number(known)
      const call = 'addItemToOrder(productVariantId: $id, quantity: $quantity)'
      const order = await settleAddition({ current, has, before, quantity }, () =>
        mutate(shopper, call, { id, quantity }, signal),
      )
      const line = order.lines.find(({ productVariant }) => productVariant.id === id)
      return { cart: toCart(order), cartLineId: line?.id ?? '' }
    },
    // Setting a quantity, removing and coupons have the same result however often they are done.
    async updateLine({ shopper, cartLineId: id, quantity }, signal) {
      const call = 'adjustOrderLine(orderLineId: $id, quantity: $quantity)'
      return toCart(await mutate(shopper, call, { id, quantity }, signal))
    },
    async removeLine({ shopper, cartLineId: id }, signal) {
      const current = await activeOrder(shopper, signal)
      if (current !== null && !current.lines.some((line) => line.id === id)) return toCart(current)
      return toCart(await mutate(shopper, 'removeOrderLine(orderLineId: $id)', { id }, signal))
    },
    async applyCoupon({ shopper, code }, signal) {
      return toCart(await mutate(shopper, 'applyCouponCode(couponCode: $code)', { code }, signal))
    },
  }
}

function orderWrites(client: VendureClient): Pick<Commerce, 'startCheckout' | 'placeOrder'> {
  const { requireOrder, partsFor, mutate } = client
  return {
    async startCheckout({ shopper, cartId }, signal) {
      const { settings } = await partsFor(shopper.tenant)
      const order = await requireOrder(shopper, cartId, signal)
      if (order.state === 'AddingItems') await prepareCheckout(client, shopper, settings, signal)
      const ready = await requireOrder(shopper, cartId, signal)
      return { checkoutToken: cartId, cartId, state: 'ready', totals: totalsOf(ready) }
    },
    async placeOrder({ shopper, cartId, expectedTotal }, signal) {
      const { settings } = await partsFor(shopper.tenant)
      const order = await requireOrder(shopper, cartId, signal)
      if (isPlaced(order)) return toOrder(order)
      if (order.totalWithTax !== expectedTotal.amount)
        throw new ToolError(
          'TOOL_GATE_CLOSED',
          'The total of the cart has changed since it was approved. Nothing was ordered.',
          { effect: 'refused', details: { source_code: 'total_changed' } },
        )
      const payment = { method: settings.paymentMethod ?? 'standard-payment', metadata: {} }
      // Vendure accepts a payment in the state ArrangingPayment only, so of two one is refused.
      const call = 'addPaymentToOrder(input: $payment)'
      return toOrder(await mutate(shopper, call, { payment }, signal))
    },
  }
}

function quantityOf(order: VendureOrder | null, variant: string): number {
  return order?.lines.find(({ productVariant }) => productVariant.id === variant)?.quantity ?? 0
}

type Addition = {
  readonly current: VendureOrder | null
  readonly has: number
  readonly before: number
  readonly quantity: number
}

/** Adds, unless an earlier attempt under the same key has added already. */
async function settleAddition(
  { current, has, before, quantity }: Addition,
  addItem: () => Promise<VendureOrder>,
): Promise<VendureOrder> {
  if (has === before) return addItem()
  if (has === before + quantity && current !== null) return current
  throw new ToolError(
    'TOOL_OUTCOME_UNKNOWN',
    'The cart was changed by someone else meanwhile, so it is not known whether the product was added. Look at the cart.',
    { effect: 'possible' },
  )
}

const ProductAnswer = z.object({
  product: z
    .object({
      id: z.string(),
      name: z.string(),
      variants: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          priceWithTax: z.int(),
          currencyCode: z.string(),
          stockLevel: z.string(),
          options: z.array(z.object({ name: z.string(), group: z.object({ name: z.string() }) })),
        }),
      ),
    })
    .nullable(),
})

async function readVariants(
  { send }: VendureClient,
  shopper: Shopper,
  productId: string,
  signal: AbortSignal,
) {
  const query = `query ($id: ID!) { product(id: $id) { id name variants {
    id name priceWithTax currencyCode stockLevel options { name group { name } } } } }`
  const { product } = await send(
    shopper,
    { query, variables: { id: productId }, signal },
    ProductAnswer,
  )
  if (product === null)
    throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no product ${productId}.`)
  return {
    productId: product.id,
    name: product.name,
    variants: product.variants.map((variant) => ({
      variantId: variant.id,
      name: variant.name,
      price: { amount: variant.priceWithTax, currency: variant.currencyCode },
      inStock: variant.stockLevel !== 'OUT_OF_STOCK',
      attributes: Object.fromEntries(variant.options.map(({ name, group }) => [group.name, name])),
    })),
  }
}

async function firstVariant(
  client: VendureClient,
  shopper: Shopper,
  productId: string,
  signal: AbortSignal,
): Promise<string> {
  const { variants } = await readVariants(client, shopper, productId, signal)
  const found = variants.find(({ inStock }) => inStock) ?? variants[0]
  if (found !== undefined) return found.variantId
  throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `The product ${productId} has no variants.`)
}

const Methods = z.object({ methods: z.array(z.object({ id: z.string() })) })
const Customer = z.object({ customer: z.object({ id: z.string() }).nullable() })

/** Customer, address and shipping, where they are missing, and the state in which it can be paid. */
async function prepareCheckout(
  { send, mutate }: VendureClient,
  shopper: Shopper,
  { guest }: VendureSettings,
  signal: AbortSignal,
): Promise<void> {
  const query = '{ customer: activeCustomer { id } }'
  const { customer } = await send(shopper, { query, variables: {}, signal }, Customer)
  if (guest !== undefined) {
    const { firstName, lastName, emailAddress, ...place } = guest
    if (customer === null)
      await mutate(
        shopper,
        'setCustomerForOrder(input: $customer)',
        { customer: { firstName, lastName, emailAddress } },
        signal,
      )
    const address = { fullName: `${firstName} ${lastName}`, ...place }
    await mutate(shopper, 'setOrderShippingAddress(input: $address)', { address }, signal)
  }
  const operation = { query: '{ methods: eligibleShippingMethods { id } }', variables: {}, signal }
  const [method] = (await send(shopper, operation, Methods)).methods
  if (method !== undefined)
    await mutate(
      shopper,
      'setOrderShippingMethod(shippingMethodId: $methods)',
      { methods: [method.id] },
      signal,
    )
  await mutate(
    shopper,
    'transitionOrderToState(state: $state)',
    { state: 'ArrangingPayment' },
    signal,
  )
}
