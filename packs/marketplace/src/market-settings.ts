import { definePort, ToolError } from '@surehand/core'

/** What the operator of a marketplace sets. The flags are off unless they are set to "true". */
export type MarketSettings = {
  readonly callingEnabled: boolean
  readonly ocrEnabled: boolean
  /** Without it, an agent drives the requests, and webhooks only store what arrives. */
  readonly orchestratorEnabled: boolean
  /** Vendors get no messages between these local times; undefined: at any time. */
  readonly quietHours: QuietHours | undefined
  /** The templates for vendors and clients who have not written within 24 hours. */
  readonly vendorTemplate: Template
  readonly clientTemplate: Template
  /** How many vendors the orchestrator asks for one request. */
  readonly vendorsPerRequest: number
  /** How long a vendor has to answer. */
  readonly replyWaitMs: number
  /** After so many offers the orchestrator stops waiting for the others. */
  readonly enoughOffers: number
  /** How long pictures and what was read from them are stored. */
  readonly ocrRetentionMs: number
  readonly timeZone: string
  /** The language model that also reads vendors' replies; undefined: they are read offline. */
  readonly replyModel: ReplyModelName | undefined
  /** How many replies a day the model may be asked about. */
  readonly replyModelCalls: number
  /** A model that has not answered by then is not waited for. */
  readonly replyModelWaitMs: number
}

export type QuietHours = { readonly from: string; readonly to: string }
export type ReplyModelName = { readonly engine: 'openai' | 'gemini'; readonly model: string }
export type Template = { readonly name: string; readonly languages: readonly string[] }

export type SettingsPort = { readonly read: () => Promise<MarketSettings> }
export const settingsPort = definePort<SettingsPort>('marketSettings', { read: 'read' })

const HOUR_MS = 3_600_000

/** The settings by name, with what each is for. */
export const MARKET_SETTINGS = {
  CALLING_ENABLED: { for: 'set to "true": marketplace.start_call may call clients' },
  OCR_ENABLED: { for: 'set to "true": pictures that clients send are read' },
  MARKETPLACE_ORCHESTRATOR: {
    for: 'set to "off": requests are driven by an agent, not by the built-in orchestrator',
  },
  MARKETPLACE_QUIET_HOURS: {
    for: 'when vendors get no messages, as in 21:00-07:00 (the default); "off" for none',
  },
  MARKETPLACE_TIME_ZONE: { for: 'the time zone of the quiet hours; Africa/Kigali by default' },
  MARKETPLACE_VENDOR_TEMPLATE: {
    for: 'the WhatsApp template for vendors with its languages, as in vendor_request:en,fr,rw',
  },
  MARKETPLACE_CLIENT_TEMPLATE: {
    for: 'the same for clients who have not written for 24 hours, as in client_update:en,fr,rw',
  },
  MARKETPLACE_VENDORS_PER_REQUEST: { for: 'how many vendors are asked; 5 by default, at most 15' },
  MARKETPLACE_REPLY_MINUTES: { for: 'how long a vendor has to answer; 30 minutes by default' },
  MARKETPLACE_ENOUGH_OFFERS: { for: 'how many offers are enough for a shortlist; 3 by default' },
  MARKETPLACE_OCR_RETENTION_DAYS: {
    for: 'how long pictures and what was read from them are stored; 30 days by default',
  },
  MARKETPLACE_REPLY_MODEL: {
    for: "a language model that also reads vendors' replies, as in openai:gpt-5.5 or gemini:gemini-2.5-flash; none by default",
  },
  MARKETPLACE_REPLY_MODEL_CALLS_PER_DAY: {
    for: 'how many replies a day the model is asked about; 500 by default, at most 100000',
  },
  MARKETPLACE_REPLY_MODEL_SECONDS: {
    for: 'how long the model is waited for; 8 seconds by default, at most 30',
  },
} as const

/** Reads the settings of the pack; one that cannot be read is an error at the first use. */
export function readMarketSettings(
  setting: (name: keyof typeof MARKET_SETTINGS) => string | undefined,
): MarketSettings {
  const numberIn = (name: keyof typeof MARKET_SETTINGS, usual: number, most: number): number => {
    const given = setting(name)
    if (given === undefined) return usual
    const value = Number(given)
    if (!Number.isFinite(value) || value <= 0 || value > most)
      throw invalid(name, given, `a number from 1 to ${most}`)
    return value
  }
  return {
    callingEnabled: setting('CALLING_ENABLED') === 'true',
    ocrEnabled: setting('OCR_ENABLED') === 'true',
    orchestratorEnabled: setting('MARKETPLACE_ORCHESTRATOR') !== 'off',
    quietHours: readQuietHours(setting('MARKETPLACE_QUIET_HOURS') ?? '21:00-07:00'),
    vendorTemplate: readTemplate(
      setting('MARKETPLACE_VENDOR_TEMPLATE') ?? 'vendor_request:en,fr,rw',
      'MARKETPLACE_VENDOR_TEMPLATE',
    ),
    clientTemplate: readTemplate(
      setting('MARKETPLACE_CLIENT_TEMPLATE') ?? 'client_update:en,fr,rw',
      'MARKETPLACE_CLIENT_TEMPLATE',
    ),
    vendorsPerRequest: numberIn('MARKETPLACE_VENDORS_PER_REQUEST', 5, 15),
    replyWaitMs: numberIn('MARKETPLACE_REPLY_MINUTES', 30, 10_080) * 60_000,
    enoughOffers: numberIn('MARKETPLACE_ENOUGH_OFFERS', 3, 5),
    ocrRetentionMs: numberIn('MARKETPLACE_OCR_RETENTION_DAYS', 30, 3_650) * 24 * HOUR_MS,
    timeZone: setting('MARKETPLACE_TIME_ZONE') ?? 'Africa/Kigali',
    replyModel: readReplyModel(setting('MARKETPLACE_REPLY_MODEL')),
    replyModelCalls: Math.ceil(numberIn('MARKETPLACE_REPLY_MODEL_CALLS_PER_DAY', 500, 100_000)),
    replyModelWaitMs: Math.ceil(numberIn('MARKETPLACE_REPLY_MODEL_SECONDS', 8, 30) * 1000),
  }
}

function readQuietHours(given: string): QuietHours | undefined {
  if (given === 'off') return undefined
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(given) ?? []
  if (from === undefined || to === undefined)
    throw invalid('MARKETPLACE_QUIET_HOURS', given, 'two times as in 21:00-07:00, or off')
  return { from, to }
}

function readTemplate(given: string, setting: string): Template {
  const [, name, languages] = /^([a-z0-9_]+):([A-Za-z_,]+)$/.exec(given) ?? []
  if (name === undefined || languages === undefined)
    throw invalid(setting, given, 'a name with its languages, as in vendor_request:en,fr')
  return { name, languages: languages.split(',') }
}

function readReplyModel(given: string | undefined): ReplyModelName | undefined {
  if (given === undefined || given === 'off') return undefined
  const [, engine, model] = /^(openai|gemini):([\w.-]{1,100})$/.exec(given) ?? []
  if (engine === undefined || model === undefined)
    throw invalid('MARKETPLACE_REPLY_MODEL', given, 'an engine and its model, as in openai:gpt-5.5')
  return { engine: engine as ReplyModelName['engine'], model }
}

function invalid(setting: string, given: string, expected: string): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `The setting ${setting} is "${given}". Set it to ${expected}.`,
  )
}
