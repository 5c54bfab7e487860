import { join } from 'node:path'
import { noDoubleOrder } from './fixtures/no-double-order.ts'

noDoubleOrder(async (folder) => ({ file: join(folder, 'site.db') }))
