import type { Flyer } from './flyer.ts'
import { HELD_OUT_LAYOUTS } from './held-out-layouts.ts'
import type { Look } from './look.ts'
import { OPEN_LAYOUTS } from './open-layouts.ts'

export type Layout = {
  readonly name: string
  readonly width: number
  readonly height: number
  readonly looks: readonly Look[]
  readonly draw: (flyer: Flyer, look: Look) => string
}

export const LAYOUTS: readonly (Layout & { readonly heldOut: boolean })[] = [
  ...OPEN_LAYOUTS.map((layout) => ({ ...layout, heldOut: false })),
  ...HELD_OUT_LAYOUTS.map((layout) => ({ ...layout, heldOut: true })),
]
