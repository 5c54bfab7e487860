// Starts a Vendure shop with three products on a database in memory, and prints its address as one
// line of JSON. Plain JavaScript: it runs in an installation of its own (README.md).
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  bootstrap,
  DefaultLogger,
  dummyPaymentHandler,
  LanguageCode,
  LogLevel,
} from '@vendure/core'
import { importProductsFromCsv, populateInitialData } from '@vendure/core/cli/index.js'

const PRODUCTS = `name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets
Red roses,red-roses,Twelve red roses,,,size,small,RR-S,19.90,standard,100,true,,
,,,,,,large,RR-L,34.90,standard,100,true,,
Tulips,tulips,Ten tulips,,,,,TU-1,12.50,standard,100,true,,
`
const INITIAL = {
  defaultLanguage: LanguageCode.en,
  defaultZone: 'Europe',
  countries: [{ name: 'Germany', code: 'DE', zone: 'Europe' }],
  taxRates: [{ name: 'Standard', percentage: 19 }],
  shippingMethods: [{ name: 'Standard shipping', price: 490 }],
  paymentMethods: [
    {
      name: 'Standard payment',
      handler: {
        code: dummyPaymentHandler.code,
        arguments: [{ name: 'automaticSettle', value: 'true' }],
      },
    },
  ],
  collections: [],
}

const port = await freePort()
const folder = mkdtempSync(join(tmpdir(), 'surehand-vendure-'))
const app = await bootstrap({
  apiOptions: { port, hostname: '127.0.0.1', adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  authOptions: { tokenMethod: ['bearer'], cookieOptions: { secret: 'only-for-tests' } },
  dbConnectionOptions: { type: 'sqljs', synchronize: true, autoSave: false },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  importExportOptions: { importAssetsDir: folder },
  logger: new DefaultLogger({ level: LogLevel.Error }),
})
await populateInitialData(app, INITIAL)
writeFileSync(join(folder, 'products.csv'), PRODUCTS)
await importProductsFromCsv(app, join(folder, 'products.csv'), LanguageCode.en)
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/shop-api` })}\n`)

process.stdin.on('close', () => process.exit(0)).resume()

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port: free } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return free
}
