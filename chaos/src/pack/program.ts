import type { RecoveryKind } from './recovery-kind.ts'

/** Whether the pack's code still does what it did when a run began. */
export type Mind = 'steady' | 'changed'

/** How a write of a program comes to its effect. */
export type WriteManner = 'patient' | 'patientJob' | 'patientApproval'

export type Write = {
  readonly do: 'write'
  readonly kind: RecoveryKind
  readonly manner: WriteManner
  /** By which class it is taken back; null: it declares no way back. */
  readonly undo: RecoveryKind | null
  /** The vendor does not make it. */
  readonly isRefused: boolean
  /** Another input once the code has changed its mind. */
  readonly isFickle: boolean
}

/** A program as data. Whatever it does has a place in it: the numbers and names on the way there. */
export type Step =
  | Write
  /** Sees something that is never the same twice; what is written after it carries it. */
  | { readonly do: 'read' | 'moment' }
  /** What is written after it is named by the answer; where there are ways, `yes` takes the first and everything else the second. */
  | { readonly do: 'ask'; readonly ways: readonly [Step, Step] | null }
  | { readonly do: 'sequence'; readonly steps: readonly Step[] }
  | { readonly do: 'parallel'; readonly steps: readonly Step[]; readonly atMost: number }
  | {
      readonly do: 'loop'
      readonly items: readonly string[]
      readonly atMost: number
      readonly step: Step
    }
  /** Goes on though it fails. */
  | { readonly do: 'try'; readonly step: Step }

export type Program = { readonly id: string; readonly step: Step }

/** What one place of a program came to. */
export type Line = {
  readonly place: string
  readonly what: 'made' | 'seen' | 'said' | 'failed'
  readonly value: string
}
