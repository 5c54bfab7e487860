import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { travelRead } from '../read-contract.ts'
import { searchContextOf } from '../travel-context.ts'
import { climatePort, weatherPort } from './weather-port.ts'

export const weather = defineTool({
  id: 'travel.weather',
  title: 'Weather in a city',
  category: 'travel',
  description:
    'The weather in a city at this moment. Where no weather service is available, the answer is what is usual there at this time of the year, and is marked as degraded.',
  aliases: ['weather', 'getCurrentWeather'],
  input: z.object({
    city: z.string().trim().min(1).max(200),
    units: z.enum(['metric', 'imperial']).default('metric').describe('metric: °C; imperial: °F.'),
  }),
  output: z.object({
    city: z.string(),
    temp: z.number(),
    description: z.string(),
    humidity: z.number().describe('In percent.'),
    provider: z.string(),
  }),
  contract: {
    ...travelRead,
    timeout: '8s',
    cache: { ttl: '600s', shared: true },
    fallback: ({ input, ports, caller, now }) =>
      ports.climate.estimate(
        { ...searchContextOf(caller), ...input, at: now() },
        // A model in this process answers at once: there is nothing to abort.
        new AbortController().signal,
      ),
  },
  ports: { weather: weatherPort, climate: climatePort },
  examples: [
    { name: 'a city', input: { city: 'Lisbon' } },
    { name: 'in Fahrenheit', input: { city: 'New York', units: 'imperial' } },
  ],
  execute: ({ input, caller, ports, signal }) =>
    ports.weather.current({ ...searchContextOf(caller), ...input }, signal),
})
