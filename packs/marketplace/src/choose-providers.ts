import { join } from 'node:path'
import { ToolError } from '@surehand/core'
import type { PackGiven, PackNeeds } from '@surehand/core/host'
import { googlePlaces, localPlaces, type PlacesPort } from '@surehand/places'
import { localOcr } from '@surehand/reading'
import { openVendorAccess } from '@surehand/vendors'
import { marketAudit } from './audit/list-audit.ts'
import { callOffers } from './calls/call-offers.ts'
import { anonymise } from './discovery/anonymise.ts'
import { discoverItems } from './discovery/discover-items.ts'
import {
  DISCOVERY_HOSTS,
  DISCOVERY_SECRETS,
  DISCOVERY_SETTINGS,
} from './discovery/discovery-settings.ts'
import { createMarket } from './engine/create-market.ts'
import type { MarketContext } from './engine/market-context.ts'
import type { Query } from './market-data.ts'
import { MARKET_SETTINGS, readMarketSettings } from './market-settings.ts'
import type { CallingPort, MessagingPort } from './messages/messaging-port.ts'
import {
  MAX_MEDIA_BYTES,
  whatsAppCalling,
  whatsAppMessaging,
} from './messages/providers/whatsapp.ts'
import { findSector } from './places/kigali-sectors.ts'
import { chooseReplyModel } from './replies/model/choose-reply-model.ts'

const GRAPH_VERSION = 'v25.0'

/** What the operator of a marketplace sets. */
export const MARKETPLACE_NEEDS = {
  secrets: {
    WHATSAPP_TOKEN: { for: "the access token of WhatsApp's Cloud API", optional: true },
    WHATSAPP_APP_SECRET: { for: 'the signatures of webhooks', optional: true },
    WHATSAPP_VERIFY_TOKEN: { for: 'the verification of the webhook address', optional: true },
    ...DISCOVERY_SECRETS,
  },
  settings: {
    WHATSAPP_PHONE_NUMBER_ID: { for: 'the number that writes to clients and vendors' },
    WHATSAPP_URL: { for: "another address than Meta's own, such as an emulator's" },
    WHATSAPP_VERSION: { for: `the version of the Graph API; ${GRAPH_VERSION} by default` },
    WHATSAPP_CALL_OFFER: {
      for: "the SDP offer of calls where no operator's page is open, such as a bridge's",
    },
    MARKETPLACE_TENANT: { for: 'the tenant of the number; the home tenant by default' },
    ...MARKET_SETTINGS,
    ...DISCOVERY_SETTINGS,
  },
  hosts: ['graph.facebook.com', 'lookaside.fbsbx.com', ...DISCOVERY_HOSTS],
} satisfies PackNeeds

/** The providers of the pack: WhatsApp where its token is set, everything else locally. */
export function chooseProviders(given: PackGiven): Readonly<Record<string, object>> {
  const { messaging, calling } = chooseWhatsApp(given)
  return marketProviders(given, { messaging, calling })
}

/** The providers around a messenger; tests hand in their own. */
export function marketProviders(
  given: PackGiven,
  messenger: { readonly messaging: MessagingPort; readonly calling: CallingPort },
  others: Partial<Pick<MarketContext, 'ocr' | 'places'>> = {},
): Readonly<Record<string, object>> {
  const settings = () => readMarketSettings(given.setting)
  const offers = callOffers(given)
  const ocr = others.ocr ?? lazyOcr(given)
  const context: MarketContext = {
    query: given.query,
    values: given.values,
    fetch: given.fetch,
    now: given.now,
    call: given.call,
    systemCaller: given.systemCaller,
    settleUnknown: given.settleUnknown,
    unknownCalls: given.unknownCalls,
    eraseCalls: given.eraseCalls,
    setting: given.setting,
    settings,
    ...messenger,
    ocr,
    places: others.places ?? choosePlaces(given),
    replyModel: () => chooseReplyModel(given),
  }
  return {
    marketData: { query: ({ sql, values }: Query) => given.query(sql, values) },
    marketSettings: { read: async () => settings() },
    market: createMarket(context),
    marketAudit: marketAudit(given),
    callOffers: offers,
    discovery: discoverItems(given),
    ...messenger,
  }
}

function chooseWhatsApp(given: PackGiven) {
  const access = openVendorAccess(given, {
    secret: 'WHATSAPP_TOKEN',
    setting: 'WHATSAPP_URL',
    defaultUrl: 'https://graph.facebook.com',
    maxBytes: MAX_MEDIA_BYTES,
  })
  const phoneNumberId = given.setting('WHATSAPP_PHONE_NUMBER_ID')
  if (access === undefined || phoneNumberId === undefined)
    return { messaging: unconfiguredMessaging, calling: unconfiguredCalling }
  const version = given.setting('WHATSAPP_VERSION') ?? GRAPH_VERSION
  const number = { ...access, phoneNumberId, version }
  return { messaging: whatsAppMessaging(number), calling: whatsAppCalling(number) }
}

function choosePlaces(given: PackGiven) {
  const google = openVendorAccess(given, {
    secret: 'GOOGLE_MAPS_KEY',
    setting: 'GOOGLE_PLACES_URL',
    defaultUrl: 'https://places.googleapis.com',
  })
  return marketPlaces(google === undefined ? localPlaces() : googlePlaces(google))
}

// The folder is created, and the reader loaded, with the first picture.
function lazyOcr(given: PackGiven): MarketContext['ocr'] {
  let reader: ReturnType<typeof localOcr> | undefined
  return {
    read(request, signal) {
      reader ??= localOcr({ folder: join(given.folder, 'ocr') })
      return reader.read(request, signal)
    },
  }
}

/**
 * Knows the sectors of Kigali and asks another provider for every other place. What a client wrote
 * may name more than a place, so personal data is removed before the text leaves.
 */
function marketPlaces(other: PlacesPort): PlacesPort {
  return {
    async resolve(query, signal) {
      const sector = findSector(query.query)
      if (sector === undefined) {
        const { text } = anonymise(query.query)
        return text === '' ? null : other.resolve({ ...query, query: text }, signal)
      }
      const { name, district, latitude, longitude } = sector
      return {
        placeId: `sector:${name.toLowerCase()}`,
        formattedAddress: `${name}, ${district}, Kigali, Rwanda`,
        name,
        location: { lat: latitude, lng: longitude },
        precision: 'place',
        provider: 'sectors of Kigali',
      }
    },
  }
}

function refuse(): never {
  throw new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    'WhatsApp is not configured, so nothing was sent. Set WHATSAPP_TOKEN and WHATSAPP_PHONE_NUMBER_ID.',
    { effect: 'none' },
  )
}

/** Stands in while the operator has set no number: nothing is sent, and every call says why. */
const unconfiguredMessaging: MessagingPort = {
  send: async () => refuse(),
  download: async () => refuse(),
}

const unconfiguredCalling: CallingPort = {
  place: async () => refuse(),
  permission: async () => refuse(),
}
