import { startEmulator } from '@surehand/testing'
import { routes as gemini } from './gemini.ts'
import { routes as openAi } from './openai.ts'
import { routes as places } from './places.ts'

// Runs the emulated search engines as a process of their own: prints {"port":N} and serves until it
// is ended, or until the process that started it has gone.
const emulator = await startEmulator({ routes: [...openAi, ...gemini, ...places] })
process.stdout.write(`${JSON.stringify({ port: emulator.port })}\n`)

const stop = (): void => {
  void emulator.stop().then(() => process.exit(0))
}
process.once('SIGTERM', stop)
process.stdin.once('end', stop).resume()
