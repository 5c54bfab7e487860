import { z } from 'zod'

/** A message that Meta approved beforehand: the only kind that may be sent outside the window. */
export const Template = z.object({
  name: z.string(),
  language: z.string(),
  /** With `{{1}}`, `{{2}}` or `{{name}}` for its parameters. */
  body: z.string(),
  category: z.enum(['utility', 'marketing']).default('utility'),
  /** Quick replies below the message. */
  buttons: z.array(z.string().max(25)).max(10).default([]),
  asksForCallPermission: z.boolean().default(false),
})
export type Template = z.output<typeof Template>

/** How webhooks reach the business. */
export const WebhookTrouble = z.object({
  /** The share of webhooks that are sent a second time although they were answered with 200. */
  duplicates: z.number().min(0).max(1),
  /** Each webhook waits up to this long. */
  maxDelayMs: z.int().min(0),
  /** `by-phone`: the webhooks of one phone arrive in their order. `none`: in any order. */
  order: z.enum(['by-phone', 'none']),
  /** Up to this many changes come in one webhook. */
  batch: z.int().min(1).max(50),
})

export const Settings = z.object({
  /** The Graph token of the business. */
  accessToken: z.string(),
  /** Signs webhooks. */
  appSecret: z.string(),
  verifyToken: z.string(),
  phoneNumberId: z.string(),
  businessAccountId: z.string(),
  displayPhoneNumber: z.string(),
  businessName: z.string(),
  /** Where webhooks go; without it they wait. */
  webhookUrl: z.url().optional(),
  webhooks: WebhookTrouble,
  /** The longest time between two attempts of a webhook. Meta's own grows to hours. */
  maxRetryMs: z.int().min(1),
  templates: z.array(Template),
  /**
   * Where a message outside the window or to an unknown number is refused: Meta mostly accepts it
   * and reports the failure in a webhook.
   */
  refusals: z.enum(['webhook', 'response']),
  messagesPerSecond: z.int().min(1),
  /** Meta allows a burst of 45 messages to one phone. */
  burstPerPhone: z.int().min(1),
  mediaUrlTtlMs: z.int().min(0),
  /** A call that nobody takes ends after this time. */
  ringMs: z.int().min(0),
  /** Moves the emulator's clock, so that a window can close without waiting for a day. */
  clockOffsetMs: z.int(),
  /** Vendors answer by themselves. */
  vendorsAnswer: z.boolean(),
  /** How long a vendor takes to answer, at most. */
  maxAnswerMs: z.int().min(0),
  seed: z.string(),
})
export type Settings = z.output<typeof Settings>

export const SettingsPatch = Settings.partial().extend({
  webhooks: WebhookTrouble.partial().optional(),
})
export type SettingsPatch = z.input<typeof SettingsPatch>

/** What a new emulator starts with. The keys open nothing but this emulator. */
export const DEFAULT_SETTINGS: Settings = {
  accessToken: 'emulated-graph-token',
  appSecret: 'emulated-app-secret',
  verifyToken: 'emulated-verify-token',
  phoneNumberId: '106540352242922',
  businessAccountId: '102290129340398',
  displayPhoneNumber: '250788000100',
  businessName: 'Isoko',
  webhooks: { duplicates: 0, maxDelayMs: 0, order: 'by-phone', batch: 1 },
  maxRetryMs: 5_000,
  templates: [],
  refusals: 'webhook',
  messagesPerSecond: 80,
  burstPerPhone: 45,
  mediaUrlTtlMs: 5 * 60_000,
  ringMs: 45_000,
  clockOffsetMs: 0,
  vendorsAnswer: false,
  maxAnswerMs: 4_000,
  seed: 'kigali',
}

/** The settings with a change; a value that is not named stays. */
export function patchSettings(settings: Settings, patch: SettingsPatch): Settings {
  const { webhooks, ...rest } = SettingsPatch.parse(patch)
  return Settings.parse({
    ...settings,
    ...rest,
    webhooks: { ...settings.webhooks, ...webhooks },
  })
}
