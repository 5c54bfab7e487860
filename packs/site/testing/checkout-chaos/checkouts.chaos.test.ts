import { join } from 'node:path'
import { checkoutGate } from './gate-suite.ts'

checkoutGate(async (folder) => join(folder, 'site.db'))
