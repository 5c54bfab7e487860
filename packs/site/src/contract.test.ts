import { contractSuite } from '@surehand/conformance'
import { orderStatus } from './commerce/order-status.ts'
import { contractWorld } from './fixtures/tool-world.ts'
import { documentTools } from './tools.ts'

for (const tool of [...documentTools, orderStatus]) contractSuite(tool, { open: contractWorld })
