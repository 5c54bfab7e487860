import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { systemClock } from '@surehand/core/ports'
import { startShop } from './start-shop.ts'

// Starts the shop as a process of its own:
//   node main.ts --folder DATA [--port 4100] [--return-origin URL]… [--embed URL --embed-data NAME=VALUE…]
// It prints its address as one line of JSON, and ends when its parent closes the standard input.

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    folder: { type: 'string' },
    'return-origin': { type: 'string', multiple: true, default: [] },
    embed: { type: 'string' },
    'embed-data': { type: 'string', multiple: true, default: [] },
    'owner-key': { type: 'string' },
    'until-stdin-ends': { type: 'boolean', default: false },
  },
})
const { folder, embed } = values
if (folder === undefined) throw new TypeError('Name the data folder with --folder.')

const ID_BYTES = 18
const shop = await startShop({
  port: Number(values.port),
  folder,
  now: systemClock().now,
  newId: (prefix) => `${prefix}_${randomBytes(ID_BYTES).toString('base64url')}`,
  returnOrigins: values['return-origin'],
  onError: (thrown) => console.error(thrown),
  ...(values['owner-key'] !== undefined && { ownerKey: values['owner-key'] }),
  ...(embed !== undefined && {
    embed: { script: embed, data: Object.fromEntries(values['embed-data'].map(readPair)) },
  }),
})
process.stdout.write(`${JSON.stringify({ url: shop.url, port: shop.port })}\n`)

function readPair(pair: string): readonly [string, string] {
  const [name = '', ...value] = pair.split('=')
  return [name, value.join('=')]
}

const stop = () => {
  shop.stop().then(() => process.exit(0))
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
// Otherwise a shop whose server was killed would keep its port.
if (values['until-stdin-ends']) process.stdin.resume().once('end', stop)
