import { failStrayCall } from '@surehand/core/host'
import type { NodeSetup } from './messages.ts'
import { serve } from './serve.ts'

// As the server does: what a call leaves behind fails the call, and nothing else may be left behind.
const onStray = (thrown: unknown): void => {
  if (failStrayCall(thrown) !== undefined) return
  console.error(thrown)
  process.exit(70)
}
process.on('unhandledRejection', onStray).on('uncaughtException', onStray)

const close = await serve(JSON.parse(process.argv[2] ?? '') as NodeSetup)
// The harness has exited, or it shuts this node down.
process.on('disconnect', () => void close().finally(() => process.exit()))
if (!process.connected) process.exit()
