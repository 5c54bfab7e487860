import { contractSuite } from '@surehand/conformance'
import { openContractWorld } from '../testing/travel-world.ts'
import { travelTools } from './pack.ts'

for (const tool of travelTools) contractSuite(tool, { open: openContractWorld })
