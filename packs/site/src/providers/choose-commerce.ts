import { ToolError } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import type { BookingCalendar } from '../booking/booking-port.ts'
import type { Commerce } from '../commerce/commerce-port.ts'
import type { SiteContract } from '../contract/site-contract.ts'
import { readSite } from '../session/site-data.ts'
import type { ShopAccess } from './send-to-shop.ts'
import { shopBooking } from './shop-booking.ts'
import { shopCommerce } from './shop-commerce.ts'
import { ucpCommerce } from './ucp-commerce.ts'
import { vendureCommerce } from './vendure-commerce.ts'

type Given = Pick<PackGiven, 'query' | 'fetch' | 'setting' | 'values' | 'now' | 'publicUrl'>
type Kind = 'commerce' | 'booking'

/** How a tenant's shop is reached, from the contract of its site. */
export async function shopAccess(given: Given, tenant: string, kind: Kind): Promise<ShopAccess> {
  const { url } = await requirePart(given, tenant, kind)
  const baseUrl = url.replace(/\/$/, '')
  // Only the address that the operator of the server configured may be in a private network: a
  // contract is written by the tenant.
  const trusted = given.setting('SITE_SHOP_URL')
  const isTrusted = trusted !== undefined && new URL(trusted).origin === new URL(baseUrl).origin
  return { baseUrl, fetch: given.fetch({ tenant, ...(isTrusted ? { trusted } : {}) }) }
}

async function requirePart<K extends Kind>(
  { query }: Given,
  tenant: string,
  kind: K,
): Promise<NonNullable<SiteContract[K]>> {
  const part = (await readSite(query, tenant))?.contract[kind]
  if (part !== undefined) return part as NonNullable<SiteContract[K]>
  throw new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `The contract of the site does not say how to ${kind === 'commerce' ? 'shop' : 'book'} there. Add "${kind}" to it and connect the site again.`,
    { effect: 'none' },
  )
}

/** The adapter that the contract of the tenant's site names. */
export function chooseCommerce(given: Given): Commerce {
  const adapters = {
    shop: shopCommerce((tenant) => shopAccess(given, tenant, 'commerce')),
    vendure: vendureCommerce(async (tenant) => {
      const settings = await requirePart(given, tenant, 'commerce')
      const { baseUrl, fetch } = await shopAccess(given, tenant, 'commerce')
      return { url: baseUrl, fetch, values: given.values, settings }
    }),
    ucp: ucpCommerce({
      accessFor: (tenant) => shopAccess(given, tenant, 'commerce'),
      values: given.values,
      now: given.now,
      profileUrl: `${given.publicUrl}/site/ucp-profile`,
    }),
  } satisfies Record<NonNullable<SiteContract['commerce']>['adapter'], Commerce>

  async function adapterOf(tenant: string): Promise<Commerce> {
    const { adapter } = await requirePart(given, tenant, 'commerce')
    return adapters[adapter]
  }

  return {
    variants: async (request, signal) =>
      (await adapterOf(request.shopper.tenant)).variants(request, signal),
    cart: async (request, signal) =>
      (await adapterOf(request.shopper.tenant)).cart(request, signal),
    quote: async (request, signal) =>
      (await adapterOf(request.shopper.tenant)).quote(request, signal),
    order: async (request, signal) =>
      (await adapterOf(request.shopper.tenant)).order(request, signal),
    addLine: async (request, signal) =>
      (await adapterOf(request.shopper.tenant)).addLine(request, signal),
    updateLine: async (request, signal) =>
      (await adapterOf(request.shopper.tenant)).updateLine(request, signal),
    removeLine: async (request, signal) =>
      (await adapterOf(request.shopper.tenant)).removeLine(request, signal),
    applyCoupon: async (request, signal) =>
      (await adapterOf(request.shopper.tenant)).applyCoupon(request, signal),
    startCheckout: async (request, signal) =>
      (await adapterOf(request.shopper.tenant)).startCheckout(request, signal),
    placeOrder: async (request, signal) =>
      (await adapterOf(request.shopper.tenant)).placeOrder(request, signal),
  }
}

export function chooseBooking(given: Given): BookingCalendar {
  return shopBooking((tenant) => shopAccess(given, tenant, 'booking'))
}
