import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'

const CITIES = [
  {
    name: 'Lisbon',
    country: 'PT',
    id: 2267057,
    lat: 38.7167,
    lon: -9.1333,
    kelvin: 291.4,
    humidity: 68,
    sky: 'few clouds',
  },
  {
    name: 'Berlin',
    country: 'DE',
    id: 2950159,
    lat: 52.5244,
    lon: 13.4105,
    kelvin: 279.2,
    humidity: 84,
    sky: 'light rain',
  },
  {
    name: 'New York',
    country: 'US',
    id: 5128581,
    lat: 40.7143,
    lon: -74.006,
    kelvin: 283.8,
    humidity: 55,
    sky: 'clear sky',
  },
] as const

/** The current weather of OpenWeatherMap 2.5, in three cities. */
export const routes: readonly EmulatorRoute[] = [
  { method: 'GET', path: '/data/2.5/weather', handle: currentWeather },
]

function currentWeather({ query }: EmulatorRequest): EmulatorReply {
  if ((query.get('appid') ?? '') === '')
    return {
      status: 401,
      body: {
        cod: 401,
        message:
          'Invalid API key. Please see https://openweathermap.org/faq#error401 for more info.',
      },
    }
  const name = (query.get('q') ?? '').toLowerCase().split(',')[0]?.trim()
  if (name === '') return { status: 400, body: { cod: '400', message: 'Nothing to geocode' } }
  const city = CITIES.find((one) => one.name.toLowerCase() === name)
  if (city === undefined) return { status: 404, body: { cod: '404', message: 'city not found' } }
  const temp = inUnits(city.kelvin, query.get('units'))
  return {
    body: {
      coord: { lon: city.lon, lat: city.lat },
      weather: [{ id: 801, main: 'Clouds', description: city.sky, icon: '02d' }],
      base: 'stations',
      main: {
        temp,
        feels_like: temp,
        temp_min: temp,
        temp_max: temp,
        pressure: 1016,
        humidity: city.humidity,
      },
      visibility: 10_000,
      wind: { speed: 4.1, deg: 320 },
      clouds: { all: 20 },
      dt: 1_794_830_400,
      sys: {
        type: 1,
        id: 6901,
        country: city.country,
        sunrise: 1_794_812_000,
        sunset: 1_794_848_000,
      },
      timezone: 0,
      id: city.id,
      name: city.name,
      cod: 200,
    },
  }
}

// Without units the answer is in kelvin.
function inUnits(kelvin: number, units: string | null): number {
  const celsius = kelvin - 273.15
  if (units === 'metric') return Math.round(celsius * 100) / 100
  if (units === 'imperial') return Math.round((celsius * 1.8 + 32) * 100) / 100
  return kelvin
}
