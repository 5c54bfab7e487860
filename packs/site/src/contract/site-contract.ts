import { definePort } from '@surehand/core'
import { AriaRole, CssSelector, Locale, Path, Url } from '@surehand/documents'
import { z } from 'zod'
import { SiteAction } from './site-action.ts'

const Origin = z.string().regex(/^https?:\/\/(?:\[[0-9a-f:]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/)

/**
 * What is known about a tenant's site. `surehand site inspect` writes it; a person reviews it
 * before it is stored, because it says what the agent may do there.
 */
export const SiteContract = z.object({
  version: z.literal(1),
  name: z.string().min(1).max(200),
  /** The site's own origins: pages of others are neither opened nor controlled. */
  origins: z.array(Origin).min(1).max(20),
  /** Where `navigation.open` may lead besides: origins, or `*.example.com`. */
  openAllowList: z.array(z.string().max(300)).max(200).default([]),
  locales: z.array(Locale).max(50).default([]),
  jsonLd: z.array(z.string().max(100)).max(100).default([]),
  landmarks: z
    .array(
      z.object({ role: AriaRole, name: z.string().max(300).optional(), selector: CssSelector }),
    )
    .max(200)
    .default([]),
  actions: z.array(SiteAction).max(500).default([]),
  sitemap: Url.optional(),
  robots: Url.optional(),
  openapi: Url.optional(),
  graphql: Url.optional(),
  /** The site's own search: `{query}` is replaced. */
  search: z.string().max(2_048).optional(),
  speculationRules: z.boolean().default(false),
  /** Pages that are prefetched when a visitor arrives. */
  likelyPaths: z.array(Path).max(50).default([]),
  commerce: z
    .object({
      adapter: z.enum(['shop', 'vendure', 'ucp']),
      url: Url,
      /** Whether starting a checkout takes a payment or a hold. Unsaid means yes. */
      checkoutTakesPayment: z.boolean().optional(),
      /** Terms of sale that the visitor is shown, where the shop's API does not state them. */
      terms: z.array(z.string().max(1_000)).max(20).default([]),
      /** Vendure: how orders are paid, and who they are for where the visitor has not said. */
      paymentMethod: z.string().max(100).optional(),
      guest: z
        .object({
          firstName: z.string().max(100),
          lastName: z.string().max(100),
          emailAddress: z.string().max(254),
          streetLine1: z.string().max(200),
          city: z.string().max(100),
          postalCode: z.string().max(20),
          countryCode: z.string().length(2),
        })
        .optional(),
    })
    .optional(),
  /** `own`: slots that the owner publishes with `site.publish_slots`. */
  booking: z
    .discriminatedUnion('adapter', [
      z.object({ adapter: z.literal('shop'), url: Url }),
      z.object({ adapter: z.literal('own') }),
    ])
    .optional(),
  /** Forms by their selector; a form that is not listed needs a confirmation. */
  forms: z
    .array(z.object({ selector: CssSelector, confirm: z.boolean(), path: Path.optional() }))
    .max(200)
    .default([]),
  /** Minor units of the currency that one session may spend. */
  spendLimit: z.object({ amount: z.int().min(0), currency: z.string().length(3) }).optional(),
  transcripts: z.enum(['off', 'session', '30d']).default('off'),
  /** Where a person of the site answers: an e-mail address, a page, a phone number. */
  handoff: z.string().max(300).optional(),
})
export type SiteContract = z.output<typeof SiteContract>

/** A site as its owner has connected it. */
export type ConnectedSite = {
  readonly contract: SiteContract
  /** The owner's kill switch: no tool for visitors does anything any more. */
  readonly isStopped: boolean
}

export type SiteContracts = {
  /** Undefined where the tenant has connected no site. */
  readonly read: (
    request: { readonly tenant: string },
    signal: AbortSignal,
  ) => Promise<ConnectedSite | undefined>
  /** What the visitor has approved so far, except for one cart or slot; minor units. */
  readonly spent: (
    request: { readonly tenant: string; readonly session: string; readonly except: string },
    signal: AbortSignal,
  ) => Promise<number>
}

export const siteContracts = definePort<SiteContracts>('siteContracts', {
  read: 'read',
  spent: 'read',
})
