import { contractSuite } from '@surehand/conformance'
import { worldOpener } from '../../testing/personal-world.ts'
import { timeSeed } from './fixtures/seed.ts'
import { timeTools } from './tools.ts'

const open = worldOpener(({ id }) => timeSeed(id))

for (const tool of timeTools) contractSuite(tool, { open })
