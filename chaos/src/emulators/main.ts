import { startEmulator } from '@surehand/testing'
import { vendorRoutes } from './vendor-routes.ts'

// The vendor, in a process of its own with its own log: it shares nothing with those whose work it judges.
const [logFile = ''] = process.argv.slice(2)
const emulator = await startEmulator({ routes: vendorRoutes(), logFile })
process.send?.({ port: emulator.port })
// whoever started it is gone
process.on('disconnect', () => process.exit())
