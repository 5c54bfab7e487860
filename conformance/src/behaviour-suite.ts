import { describe, test } from 'vitest'
import { applies, type Behaviour } from './behaviour.ts'
import { BEHAVIOURS } from './behaviours/all.ts'
import { openWorld, type WorldSetup } from './world/world.ts'

/** How a behaviour fared at a door. */
export type Result = {
  readonly id: string
  readonly door: string
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
    if (!applies(behaviour, world.door))
      return { id: behaviour.id, door: world.door.name, verdict: 'does not apply' }
    await behaviour.run(world)
    return { id: behaviour.id, door: world.door.name, verdict: 'holds' }
  } finally {
    await world.close()
  }
}

/** Registers every behaviour as a test of one door over one kind of stores; the list fills while they run. */
export function behaviourSuite(door: string, setup: WorldSetup): readonly Result[] {
  const results: Result[] = []
  describe(`at the door "${door}"`, () => {
    for (const behaviour of BEHAVIOURS) {
      test(`${behaviour.id}: ${behaviour.sentence}`, async ({ task }) => {
        const keep = (result: Result): void => {
          results.push(result)
          // the report of a run tells what held where
          task.meta.behaviour = { ...result, door }
        }
        try {
          keep(await runBehaviour(behaviour, setup))
        } catch (thrown) {
          keep({ id: behaviour.id, door, verdict: 'broken' })
          throw thrown
        }
      })
    }
  })
  return results
}
