import { isToolError, ToolError } from '@surehand/core'
import { asServiceError, sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import type { WeatherPort } from '../weather-port.ts'

const Answer = z.object({
  name: z.string(),
  main: z.object({ temp: z.number(), humidity: z.number() }),
  weather: z.array(z.object({ description: z.string() })).default([]),
})

/** OpenWeatherMap's current weather, API 2.5. */
export function openWeatherMap({ baseUrl, key, fetchFor }: VendorAccess): WeatherPort {
  return {
    async current({ tenant, city, units }, signal) {
      const query = new URLSearchParams({ q: city, units, appid: key })
      const request = {
        vendor: 'OpenWeatherMap',
        url: `${baseUrl}/data/2.5/weather?${query}`,
        signal,
      }
      const answer = await sendJson(fetchFor(tenant), request, Answer).catch((thrown: unknown) => {
        // An unknown city must not fall back to the climate of another place.
        if (isToolError(thrown) && thrown.details?.provider_status === 404) throw unknownCity(city)
        return asServiceError(thrown)
      })
      return {
        city: answer.name,
        temp: answer.main.temp,
        description: answer.weather.map(({ description }) => description).join(', '),
        humidity: answer.main.humidity,
        provider: 'openweathermap',
      }
    },
  }
}

function unknownCity(city: string): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_NOT_FOUND',
    `The city "${city}" is not known. Check its spelling, or name its country.`,
    { effect: 'none' },
  )
}
