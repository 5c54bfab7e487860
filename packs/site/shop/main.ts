import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { systemClock } from '@surehand/core/ports'
import { z } from 'zod'
import { startShop } from './start-shop.ts'

// Starts the shop as a process of its own:
//   node main.ts --folder DATA [--port 4100] [--return-origin URL]… [--owner-key KEY]
// It prints its address as one line of JSON. With --control it reads lines from the standard input,
// {"embed":{"script":URL,"data":{…}}}, and ends with it.

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    folder: { type: 'string' },
    'return-origin': { type: 'string', multiple: true, default: [] },
    'owner-key': { type: 'string' },
    control: { type: 'boolean', default: false },
  },
})
const { folder } = values
if (folder === undefined) throw new TypeError('Name the data folder with --folder.')

const Control = z.object({
  embed: z.object({ script: z.url(), data: z.record(z.string().regex(/^[a-z-]+$/), z.string()) }),
})

const ID_BYTES = 18
const shop = await startShop({
  port: Number(values.port),
  folder,
  now: systemClock().now,
  newId: (prefix) => `${prefix}_${randomBytes(ID_BYTES).toString('base64url')}`,
  returnOrigins: values['return-origin'],
  onError: (thrown) => console.error(thrown),
  ...(values['owner-key'] !== undefined && { ownerKey: values['owner-key'] }),
})
process.stdout.write(`${JSON.stringify({ url: shop.url, port: shop.port })}\n`)

const stop = () => {
  shop.stop().then(() => process.exit(0))
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)

if (values.control) {
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => shop.embed(Control.parse(JSON.parse(line)).embed))
  // Otherwise a shop whose server was killed would keep its port.
  lines.once('close', stop)
}
