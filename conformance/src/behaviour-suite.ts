import { describe, test } from 'vitest'
import { applies, type Behaviour } from './behaviour.ts'
import { BEHAVIOURS } from './behaviours/all.ts'
import { openWorld, type WorldSetup } from './world/world.ts'

/** How a behaviour fared at a surface. */
export type Result = {
  readonly id: string
  readonly surface: string
  readonly verdict: 'holds' | 'broken' | 'does not apply'
}

declare module 'vitest' {
  interface TaskMeta {
    behaviour?: Result
  }
}

/** Runs one behaviour in a world of its own; throws where the promise is broken. */
export async function runBehaviour(behaviour: Behaviour, setup: WorldSetup): Promise<Result> {
  const world = await openWorld(setup)
  try {
    if (!applies(behaviour, world.surface))
      return { id: behaviour.id, surface: world.surface.name, verdict: 'does not apply' }
    await behaviour.run(world)
    return { id: behaviour.id, surface: world.surface.name, verdict: 'holds' }
  } finally {
    await world.close()
  }
}

/**
 * Registers every behaviour as a test of one surface over one kind of stores; the list fills while
 * they run.
 */
export function behaviourSuite(surface: string, setup: WorldSetup): readonly Result[] {
  const results: Result[] = []
  describe(`at the surface "${surface}"`, () => {
    for (const behaviour of BEHAVIOURS) {
      test(`${behaviour.id}: ${behaviour.sentence}`, async ({ task }) => {
        const addResult = (result: Result): void => {
          results.push(result)
          // the report of a run tells what held where
          task.meta.behaviour = { ...result, surface }
        }
        try {
          addResult(await runBehaviour(behaviour, setup))
        } catch (thrown) {
          addResult({ id: behaviour.id, surface, verdict: 'broken' })
          throw thrown
        }
      })
    }
  })
  return results
}
