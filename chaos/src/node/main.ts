import type { NodeSetup } from './messages.ts'
import { serve } from './serve.ts'

const close = await serve(JSON.parse(process.argv[2] ?? '') as NodeSetup)
// whoever started us is gone, or has no use for us any more
process.on('disconnect', () => void close().finally(() => process.exit()))
if (!process.connected) process.exit()
