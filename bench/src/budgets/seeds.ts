import { habitSeed } from '../../../packs/personal/src/habit/fixtures/seed.ts'
import { knowledgeSeed } from '../../../packs/personal/src/knowledge/fixtures/seed.ts'
import { projectSeed } from '../../../packs/personal/src/project/fixtures/seed.ts'
import { taskSeed } from '../../../packs/personal/src/task/fixtures/seed.ts'

/** What must be there for the examples of the tools to have something to work on. */
export const SEEDS: readonly { readonly tool: string; readonly input: unknown }[] = [
  ...projectSeed,
  ...habitSeed,
  ...taskSeed,
  ...knowledgeSeed,
]
