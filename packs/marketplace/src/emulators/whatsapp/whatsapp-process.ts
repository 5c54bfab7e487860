import { parseArgs } from 'node:util'
import { startWhatsApp } from './start-whatsapp.ts'

// Runs the emulator as its own process: prints {"port":N} and serves until it is ended, or until
// the process that started it has gone.
const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    port: { type: 'string' },
    settings: { type: 'string' },
  },
})
const whatsapp = await startWhatsApp({
  ...(values.folder === undefined ? {} : { folder: values.folder }),
  ...(values.port === undefined ? {} : { port: Number(values.port) }),
  settings: JSON.parse(values.settings ?? '{}'),
})
process.stdout.write(`${JSON.stringify({ port: whatsapp.port })}\n`)

const stop = (): void => {
  void whatsapp.stop().then(() => process.exit(0))
}
process.once('SIGTERM', stop)
process.stdin.once('end', stop).resume()
