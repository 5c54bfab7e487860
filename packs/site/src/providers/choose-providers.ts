import { ToolError } from '@surehand/core'
import type { PackGiven, PackNeeds } from '@surehand/core/host'
import { localEmbeddings } from '@surehand/discovery'
import type { BookingCalendar } from '../booking/booking-port.ts'
import type { Commerce, Shopper } from '../commerce/commerce-port.ts'
import type { SiteContract, SiteContracts } from '../contract/site-contract.ts'
import { indexedSearch } from '../search/providers/indexed-search.ts'
import { sessionHub } from '../session/session-hub.ts'
import { readSite, sumSpend } from '../session/site-data.ts'
import { ownBooking } from './own-booking.ts'
import { withSeenRevisions } from './seen-revisions.ts'
import type { ShopAccess } from './send-to-shop.ts'
import { shopBooking } from './shop-booking.ts'
import { shopCommerce } from './shop-commerce.ts'
import { siteCrawler } from './site-crawler.ts'
import { storedReports } from './stored-reports.ts'
import { storedTranscripts } from './stored-transcripts.ts'
import { ucpCommerce } from './ucp-commerce.ts'
import { vendureCommerce } from './vendure-commerce.ts'
import { webInspector } from './web-inspector.ts'
import { webSiteReader } from './web-site-reader.ts'
import { widgetPage } from './widget-page.ts'

const PAGE_BYTES = 5_000_000

export const SITE_NEEDS = {
  secrets: {
    OPENAI_API_KEY: { for: 'a model that answers visitors', optional: true },
  },
  settings: {
    SITE_MODEL: { for: 'the model that answers visitors; without it, rules do' },
    OPENAI_BASE_URL: { for: 'another API that is compatible with OpenAI' },
    SITE_SHOP_URL: {
      for: 'the address of a site in a private network, such as the demo shop',
    },
    SITE_EMBEDDINGS: {
      for: 'search by meaning: "off" searches by words alone, also where the model is installed',
    },
  },
  hosts: ['api.openai.com'],
} satisfies PackNeeds

/** The providers of the pack: what the contract of a tenant's site names, and our own tables. */
export function chooseProviders(given: PackGiven): Readonly<Record<string, object>> {
  const trusted = given.setting('SITE_SHOP_URL')
  const fetchFor = (tenant: string) =>
    given.fetch({ tenant, maxBytes: PAGE_BYTES, ...(trusted === undefined ? {} : { trusted }) })
  const reader = webSiteReader(fetchFor)
  const embeddings = given.setting('SITE_EMBEDDINGS') === 'off' ? undefined : localEmbeddings()
  return {
    pageBridge: widgetPage(sessionHub(given)),
    siteContracts: storedSites(given),
    commerce: chooseCommerce(given),
    bookingCalendar: chooseBooking(given),
    siteReports: storedReports(given),
    visitorRecords: storedTranscripts(given),
    siteReader: reader,
    siteInspector: webInspector(fetchFor, reader),
    siteCrawler: siteCrawler({ given, reader, fetchFor, embeddings }),
    siteSearch: indexedSearch({ query: given.query, fetchFor, embeddings }),
  }
}

/** The contracts of sites and the spending of visitors, in our own tables. */
function storedSites({ query }: Pick<PackGiven, 'query'>): SiteContracts {
  return {
    read: ({ tenant }) => readSite(query, tenant),
    spent: (request) => sumSpend(query, request),
  }
}

type Given = Pick<
  PackGiven,
  'query' | 'fetch' | 'setting' | 'values' | 'now' | 'publicUrl' | 'call' | 'systemCaller'
>
type Kind = 'commerce' | 'booking'

/** How a tenant's shop is reached, from the contract of its site. */
export async function shopAccess(given: Given, tenant: string, kind: Kind): Promise<ShopAccess> {
  const part = await requirePart(given, tenant, kind)
  if (part.adapter === 'own') throw noPart(kind)
  const { url } = part
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
  throw noPart(kind)
}

function noPart(kind: Kind): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `The contract of the site does not say how to ${kind === 'commerce' ? 'shop' : 'book'} there. Add "${kind}" to it and connect the site again.`,
    { effect: 'none' },
  )
}

/** The adapter that the contract of the tenant's site names. */
function chooseCommerce(given: Given): Commerce {
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

  async function adapterOf({ tenant }: Shopper): Promise<Commerce> {
    const { adapter } = await requirePart(given, tenant, 'commerce')
    return adapters[adapter]
  }

  return withSeenRevisions(
    {
      variants: async (of, signal) => (await adapterOf(of.shopper)).variants(of, signal),
      cart: async (of, signal) => (await adapterOf(of.shopper)).cart(of, signal),
      quote: async (of, signal) => (await adapterOf(of.shopper)).quote(of, signal),
      order: async (of, signal) => (await adapterOf(of.shopper)).order(of, signal),
      addLine: async (of, signal) => (await adapterOf(of.shopper)).addLine(of, signal),
      updateLine: async (of, signal) => (await adapterOf(of.shopper)).updateLine(of, signal),
      removeLine: async (of, signal) => (await adapterOf(of.shopper)).removeLine(of, signal),
      applyCoupon: async (of, signal) => (await adapterOf(of.shopper)).applyCoupon(of, signal),
      startCheckout: async (of, signal) => (await adapterOf(of.shopper)).startCheckout(of, signal),
      placeOrder: async (of, signal) => (await adapterOf(of.shopper)).placeOrder(of, signal),
    },
    given.values,
  )
}

/** The calendar that the contract of the tenant's site names. */
function chooseBooking(given: Given): BookingCalendar {
  const adapters = {
    shop: shopBooking((tenant) => shopAccess(given, tenant, 'booking')),
    own: ownBooking(given),
  } satisfies Record<NonNullable<SiteContract['booking']>['adapter'], BookingCalendar>

  async function adapterOf({ tenant }: Shopper): Promise<BookingCalendar> {
    const { adapter } = await requirePart(given, tenant, 'booking')
    return adapters[adapter]
  }

  return {
    searchSlots: async (of, signal) => (await adapterOf(of.shopper)).searchSlots(of, signal),
    quote: async (of, signal) => (await adapterOf(of.shopper)).quote(of, signal),
    booking: async (of, signal) => (await adapterOf(of.shopper)).booking(of, signal),
    hold: async (of, signal) => (await adapterOf(of.shopper)).hold(of, signal),
    book: async (of, signal) => (await adapterOf(of.shopper)).book(of, signal),
    cancel: async (of, signal) => (await adapterOf(of.shopper)).cancel(of, signal),
  }
}
