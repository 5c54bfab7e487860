import { contractSuite } from '@surehand/conformance'
import { localPlaces } from '@surehand/places'
import { expect, test } from 'vitest'
import { ANN, localWorld, openRuntime } from '../fixtures/local-world.ts'
import { placesResolve } from './places-resolve.ts'

const places = localPlaces()
const signal = new AbortController().signal

contractSuite(placesResolve, { open: localWorld(() => ({ providers: { places } })) })

test('a cached answer for one region is not used for another', async () => {
  const regions: unknown[] = []
  const counted = {
    resolve: (query: { readonly query: string; readonly regionCode?: string | undefined }) => {
      regions.push(query.regionCode)
      return places.resolve({ tenant: 'home', ...query }, signal)
    },
  }
  const runtime = openRuntime([placesResolve], { places: counted })
  for (const regionCode of ['us', 'US', 'GB'])
    await runtime.call({
      tool: 'places.resolve',
      input: { query: 'Birmingham', regionCode },
      caller: ANN,
      surface: 'test',
    })
  expect(regions).toEqual(['US', 'GB'])
})
