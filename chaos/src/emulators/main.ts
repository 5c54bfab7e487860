import { startEmulator } from '@surehand/testing'
import { vendorRoutes } from './vendor-routes.ts'

// The vendor runs in its own process with its own log, so that it shares nothing with the nodes it
// judges.
const [logFile = ''] = process.argv.slice(2)
const emulator = await startEmulator({ routes: vendorRoutes(), logFile })
process.send?.({ port: emulator.port })
// The harness has exited.
process.on('disconnect', () => process.exit())
