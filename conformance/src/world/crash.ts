import type { Stores } from '@surehand/core'
import type { Clock } from '@surehand/core/ports'
import type { Ask, Process, World } from './world.ts'

/**
 * How far a process came before it died: it held the claim, had announced its effect, or had even
 * made it.
 */
export type Death = 'claimed' | 'effect-announced' | 'effect-made'

/**
 * Lets a process die in the middle of a call: from there on it does nothing more, and no timer of
 * its runs.
 */
export async function dieDuring(world: World, death: Death, ask: Ask): Promise<void> {
  await (await dyingProcess(world, death)).begin(ask)
}

/** A process that will die as soon as it comes that far. */
export function dyingProcess(world: World, death: Death): Promise<Process> {
  return world.process({
    clock: withoutTimers(world.clock),
    stores: (stores) => dyingStores(stores, death),
  })
}

function dyingStores(stores: Stores, death: Death): Stores {
  const never = () => new Promise<never>(() => undefined)
  switch (death) {
    case 'claimed':
      return { ...stores, calls: { ...stores.calls, startEffect: never } }
    case 'effect-announced':
      return {
        ...stores,
        calls: {
          ...stores.calls,
          async startEffect(fence, effect, intent) {
            await stores.calls.startEffect(fence, effect, intent)
            return never()
          },
        },
      }
    case 'effect-made':
      return { ...stores, calls: { ...stores.calls, finish: never } }
  }
}

/**
 * A process that stands still at one of its writes, as a stopped machine does, and goes on when
 * told.
 */
export type Paused = Process & { readonly goOn: () => void }

/** It has not written yet. */
export function pausedBefore(world: World, write: 'startEffect' | 'finish'): Promise<Paused> {
  return pausedAt(world, write, async (gate, run) => {
    await gate
    return run()
  })
}

/** It has written, and has not looked at the answer. */
export function pausedAfter(world: World, write: 'startEffect'): Promise<Paused> {
  return pausedAt(world, write, async (gate, run) => {
    const answer = await run()
    await gate
    return answer
  })
}

type Pausing = (gate: Promise<void>, run: () => unknown) => Promise<unknown>

async function pausedAt(
  world: World,
  write: 'startEffect' | 'finish',
  pausing: Pausing,
): Promise<Paused> {
  let goOn: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const process = await world.process({
    clock: withoutTimers(world.clock),
    stores: (stores) => ({
      ...stores,
      calls: {
        ...stores.calls,
        // the arguments are handed on as they came, whichever write it is
        [write]: (...args: readonly never[]) =>
          pausing(gate, () =>
            (stores.calls[write] as (...given: readonly never[]) => unknown)(...args),
          ),
      },
    }),
  })
  return { ...process, goOn: () => goOn() }
}

function withoutTimers(clock: Clock): Clock {
  return { now: clock.now, ticks: clock.ticks, after: () => () => undefined }
}
