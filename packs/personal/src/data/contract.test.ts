import { contractSuite } from '@surehand/conformance'
import { ADMIN, ANN, worldOpener } from '../../testing/personal-world.ts'
import { dataAnalyze } from './data-analyze.ts'
import { DATA_SEED } from './fixtures/seed.ts'
import { dataTools } from './tools.ts'

const open = worldOpener(() => DATA_SEED)

for (const tool of dataTools)
  contractSuite(tool, { open: async (one) => ({ ...(await open(one)), caller: one === dataAnalyze ? ADMIN : ANN }) })
