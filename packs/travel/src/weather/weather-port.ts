import { definePort } from '@surehand/core'
import type { SearchContext } from '../travel-context.ts'

export type Units = 'metric' | 'imperial'

export type WeatherQuery = SearchContext & { readonly city: string; readonly units: Units }

export type Weather = {
  /** The city that was found, which may be spelled otherwise than the one that was asked for. */
  readonly city: string
  /** In °C or °F, by the units of the query. */
  readonly temp: number
  readonly description: string
  /** In percent. */
  readonly humidity: number
  readonly provider: string
}

/**
 * The weather of the moment. Without a service it throws `TOOL_EXTERNAL_SERVICE_ERROR`, and the
 * climate answers, marked as degraded. An unknown city is `TOOL_RESOURCE_NOT_FOUND`.
 */
export type WeatherPort = {
  readonly current: (query: WeatherQuery, signal: AbortSignal) => Promise<Weather>
}

export const weatherPort = definePort<WeatherPort>('travelWeather', { current: 'read' })

/** What the weather usually is at a place and a time of the year, from a model. */
export type ClimatePort = {
  readonly estimate: (
    query: WeatherQuery & { readonly at: number },
    signal: AbortSignal,
  ) => Promise<Weather>
}

export const climatePort = definePort<ClimatePort>('travelClimate', { estimate: 'read' })
