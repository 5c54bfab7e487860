import { aiSeed } from '../../../packs/personal/src/ai/fixtures/seed.ts'
import { habitSeed } from '../../../packs/personal/src/habit/fixtures/seed.ts'
import { KNOWLEDGE_SEED } from '../../../packs/personal/src/knowledge/fixtures/seed.ts'
import { projectSeed } from '../../../packs/personal/src/project/fixtures/seed.ts'
import { TASK_SEED } from '../../../packs/personal/src/task/fixtures/seed.ts'
import { timeSeed } from '../../../packs/personal/src/time/fixtures/seed.ts'

type Seed = { readonly tool: string; readonly input: unknown }

const FAMILIES: Readonly<Record<string, readonly Seed[]>> = {
  habit: habitSeed,
  task: [...projectSeed, ...TASK_SEED],
  project: projectSeed,
  knowledge: KNOWLEDGE_SEED,
  ai: aiSeed,
  data: [...habitSeed, ...TASK_SEED, ...KNOWLEDGE_SEED],
}

/** The calls that create the data which a tool's examples refer to. */
export function seedsFor(tool: string): readonly Seed[] {
  const [family = ''] = tool.split('.')
  if (tool === 'habit.create') return []
  return family === 'time'
    ? [...TASK_SEED, ...habitSeed, ...timeSeed(tool)]
    : (FAMILIES[family] ?? [])
}
