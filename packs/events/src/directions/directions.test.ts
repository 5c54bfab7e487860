import { contractSuite } from '@surehand/conformance'
import { localDirections } from '@surehand/places'
import { localWorld } from '../fixtures/local-world.ts'
import { directionsEstimate } from './directions-estimate.ts'

contractSuite(directionsEstimate, {
  open: localWorld(() => ({ providers: { directions: localDirections() } })),
})
