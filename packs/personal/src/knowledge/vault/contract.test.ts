import { contractSuite } from '@surehand/conformance'
import { vaultTools } from '../../tools.ts'
import { KNOWLEDGE_SEED } from '../fixtures/seed.ts'
import { openVaultWorld } from '../fixtures/vault-world.ts'

for (const tool of vaultTools)
  contractSuite(tool, {
    open: async () => {
      const world = await openVaultWorld()
      for (const { tool: id, input } of KNOWLEDGE_SEED) await world.data(id, input)
      world.put('Old.md', 'old\n')
      world.put('Older.md', 'older\n')
      await world.effects()
      return world
    },
  })
