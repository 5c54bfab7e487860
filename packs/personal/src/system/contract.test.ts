import { contractSuite } from '@surehand/conformance'
import type { Caller, Tool } from '@surehand/core'
import { ADMIN, ANN, worldOpener } from '../../testing/personal-world.ts'
import { preferencesGet } from './preferences-get.ts'
import { preferencesSet } from './preferences-set.ts'
import { systemTools } from './tools.ts'

const open = worldOpener(() => [])
// until the pack grants them to every user
const PERSON: Caller = { ...ANN, capabilities: ['preferences.read', 'preferences.write'] }
const OF_EVERYBODY: readonly Tool[] = [preferencesGet, preferencesSet]

for (const tool of systemTools)
  contractSuite(tool, { open: async (one) => ({ ...(await open(one)), caller: OF_EVERYBODY.includes(one) ? PERSON : ADMIN }) })
