import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { EmulatorRoute } from './route.ts'
import { startEmulator } from './start-emulator.ts'

const USAGE =
  'node testing/src/emulator/main.ts MODULE [--log FILE] [--port NUMBER]   (MODULE exports `routes`)'

// Runs a vendor as its own process, so that a test can kill it. Prints {"port":N} and serves until
// it is ended.
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { log: { type: 'string' }, port: { type: 'string' } },
})
const [module] = positionals
if (module === undefined) throw new Error(USAGE)
const { routes } = (await import(pathToFileURL(resolve(module)).href)) as {
  readonly routes?: readonly EmulatorRoute[]
}
if (routes === undefined) throw new Error(`${module} does not export its routes. ${USAGE}`)

const emulator = await startEmulator({
  routes,
  ...(values.log === undefined ? {} : { logFile: values.log }),
  ...(values.port === undefined ? {} : { port: Number(values.port) }),
})
process.stdout.write(`${JSON.stringify({ port: emulator.port })}\n`)
process.once('SIGTERM', () => void emulator.stop())
