import type { NodeSetup } from './messages.ts'
import { serve } from './serve.ts'

const close = await serve(JSON.parse(process.argv[2] ?? '') as NodeSetup)
// The harness has exited, or it shuts this node down.
process.on('disconnect', () => void close().finally(() => process.exit()))
if (!process.connected) process.exit()
