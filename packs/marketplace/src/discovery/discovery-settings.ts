import { ToolError } from '@surehand/core'

/** What the operator sets for discovery. The flags are off unless they are set to "true". */
export type DiscoverySettings = {
  readonly externalEnabled: boolean
  readonly mapsEnabled: boolean
  readonly socialEnabled: boolean
  /** How many searches a post may cause, web and social together; at most 2. */
  readonly searchCalls: number
  /** How many requests to Google Places a post may cause. */
  readonly mapsCalls: number
  readonly openAiModel: string
  readonly geminiModel: string
  /** The country to search in, as in RW. */
  readonly country: string
}

/** The settings by name, with what each is for. */
export const DISCOVERY_SETTINGS = {
  EXTERNAL_DISCOVERY_ENABLED: { for: 'set to "true": needs are searched for on the web' },
  SOCIAL_DISCOVERY_ENABLED: { for: 'set to "true": public profiles are searched for too' },
  MAPS_ENRICHMENT_ENABLED: { for: 'set to "true": vendors are looked up in Google Places' },
  DISCOVERY_MAX_CALLS_PER_REQUEST: {
    for: 'how many web and social searches a post may cause together; 2 by default and at most',
  },
  MAPS_MAX_CALLS_PER_REQUEST: {
    for: 'how many requests to Google Places a post may cause; 2 by default, at most 10',
  },
  DISCOVERY_OPENAI_MODEL: { for: 'which OpenAI model searches; gpt-5.5 by default' },
  DISCOVERY_GEMINI_MODEL: { for: 'which Gemini model searches; gemini-2.5-flash by default' },
  DISCOVERY_COUNTRY: { for: 'the country to search in; RW by default' },
  OPENAI_BASE_URL: { for: 'another API that speaks as OpenAI does, such as an emulator' },
  GEMINI_URL: { for: "another address than Gemini's own, such as an emulator's" },
  GOOGLE_PLACES_URL: { for: "another address than Google Places' own, such as an emulator's" },
} as const

export const DISCOVERY_SECRETS = {
  OPENAI_API_KEY: { for: 'search and the reading of replies with OpenAI', optional: true },
  GEMINI_API_KEY: { for: 'search and the reading of replies with Gemini', optional: true },
  GOOGLE_MAPS_KEY: { for: 'Google Places', optional: true },
} as const

export const DISCOVERY_HOSTS = [
  'api.openai.com',
  'generativelanguage.googleapis.com',
  'places.googleapis.com',
] as const

const MAX_SEARCH_CALLS = 2
const MAX_MAPS_CALLS = 10

/** Reads the settings; a budget that cannot be read is an error, never an open budget. */
export function readDiscoverySettings(
  setting: (name: string) => string | undefined,
): DiscoverySettings {
  return {
    externalEnabled: setting('EXTERNAL_DISCOVERY_ENABLED') === 'true',
    mapsEnabled: setting('MAPS_ENRICHMENT_ENABLED') === 'true',
    socialEnabled: setting('SOCIAL_DISCOVERY_ENABLED') === 'true',
    searchCalls: readBudget(setting, 'DISCOVERY_MAX_CALLS_PER_REQUEST', MAX_SEARCH_CALLS),
    mapsCalls: readBudget(setting, 'MAPS_MAX_CALLS_PER_REQUEST', MAX_MAPS_CALLS),
    openAiModel: setting('DISCOVERY_OPENAI_MODEL') ?? 'gpt-5.5',
    geminiModel: setting('DISCOVERY_GEMINI_MODEL') ?? 'gemini-2.5-flash',
    country: setting('DISCOVERY_COUNTRY') ?? 'RW',
  }
}

function readBudget(
  setting: (name: string) => string | undefined,
  name: string,
  most: number,
): number {
  const given = setting(name) ?? '2'
  if (!/^\d{1,3}$/.test(given.trim()) || Number(given) > most)
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      `The setting ${name} is "${given}". Set it to a whole number from 0 to ${most}.`,
    )
  return Number(given)
}
