import { ToolError } from '@surehand/core'
import type { PlacesPort } from '@surehand/places'
import type { ClimatePort, Units, WeatherPort } from '../weather-port.ts'

const DAY_MS = 86_400_000
const YEAR_DAYS = 365.25
/** The warmest day of the year in the north, counted from 1 January. */
const WARMEST_DAY = 203
const WARMEST_HOUR = 15

/** Where no weather service is configured: the climate answers instead, as degraded. */
export function noWeather(): WeatherPort {
  return {
    async current() {
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        'No weather service is configured, so the weather of this moment is unknown. An administrator can set OPENWEATHERMAP_API_KEY.',
        { effect: 'none', details: { source_code: 'not_configured' } },
      )
    },
  }
}

/**
 * What is usual by latitude, season and time of the day. It knows no sea, mountain or front: the
 * temperature is within about 6 °C of the long-term mean of most towns.
 */
export function climateModel(places: PlacesPort): ClimatePort {
  return {
    async estimate({ tenant, city, units, at }, signal) {
      const place = await places.resolve({ tenant, query: city }, signal)
      if (place === null)
        throw new ToolError(
          'TOOL_RESOURCE_NOT_FOUND',
          `The city "${city}" is not known. Check its spelling, or name its country.`,
          { effect: 'none' },
        )
      const { lat, lng } = place.location
      const celsius = usualTemperature(lat, lng, at)
      return {
        city: place.name ?? city,
        temp: Math.round(toUnits(celsius, units) * 10) / 10,
        description: `usual for the season: ${wordFor(celsius)}`,
        humidity: usualHumidity(lat, at),
        provider: 'climate-model',
      }
    },
  }
}

// The mean of the year falls with the square of the latitude, and the swing of the seasons grows.
function usualTemperature(lat: number, lng: number, atMs: number): number {
  const mean = 27 - 0.0066 * lat ** 2
  const season = 0.18 * Math.abs(lat) * seasonOf(lat, atMs)
  const solarHour = (atMs / 3_600_000 + lng / 15) % 24
  const day = 3.5 * Math.cos(((solarHour - WARMEST_HOUR) / 24) * 2 * Math.PI)
  return mean + season + day
}

/** 1 at the warmest time of the year, -1 at the coldest. */
function seasonOf(lat: number, atMs: number): number {
  const startOfYear = Date.UTC(new Date(atMs).getUTCFullYear(), 0, 1)
  const dayOfYear = (atMs - startOfYear) / DAY_MS
  const north = Math.cos(((dayOfYear - WARMEST_DAY) / YEAR_DAYS) * 2 * Math.PI)
  return lat >= 0 ? north : -north
}

function usualHumidity(lat: number, atMs: number): number {
  return Math.round(72 - 8 * seasonOf(lat, atMs))
}

function toUnits(celsius: number, units: Units): number {
  return units === 'metric' ? celsius : (celsius * 9) / 5 + 32
}

function wordFor(celsius: number): string {
  if (celsius < -5) return 'very cold'
  if (celsius < 5) return 'cold'
  if (celsius < 13) return 'cool'
  if (celsius < 20) return 'mild'
  if (celsius < 27) return 'warm'
  return 'hot'
}
