import type { Mutant } from './mutant.ts'
import type { Ability, Surface } from './surface.ts'
import type { World } from './world/world.ts'

/** One promise of RULES.md, as data: it runs over every surface that is able to carry it. */
export type Behaviour = {
  /** `subject.what`, unique. */
  readonly id: string
  /** The promise, as the name of a test. */
  readonly sentence: string
  /** Where in RULES.md it stands. */
  readonly rules: `§${number}`
  /** Where it applies: at every surface that can do these. */
  readonly needs: readonly Ability[]
  /** The planted fault under which it must fail. */
  readonly mutant: Mutant
  /** Judges by envelopes and by what the world saw; throws where the promise is broken. */
  readonly run: (world: World) => Promise<void>
}

export function applies(behaviour: Behaviour, surface: Pick<Surface, 'can'>): boolean {
  return behaviour.needs.every((ability) => surface.can.has(ability))
}
