import type { RecoveryKind } from './recovery-kind.ts'

/** Whether the pack's code still does what it did when the run started. */
export type CodeVersion = 'original' | 'changed'

/** How a write of a program comes to its effect. */
export type WriteManner = 'patient' | 'patientJob' | 'patientApproval'

export type Write = {
  readonly do: 'write'
  readonly kind: RecoveryKind
  readonly manner: WriteManner
  /** The recovery class of its compensation; null when it declares none. */
  readonly undo: RecoveryKind | null
  /** The vendor refuses to make it. */
  readonly isRefused: boolean
  /** The changed code sends a different input here. */
  readonly changesWithCode: boolean
}

/** A program as data. Every step has a place: the numbers and names on the path to it. */
export type Step =
  | Write
  /** Reads a value that is different every time; later writes include it in their input. */
  | { readonly do: 'read' | 'moment' }
  /**
   * Later items are named by the answer. Where there are ways, `yes` takes the first and any other
   * answer the second.
   */
  | { readonly do: 'ask'; readonly ways: readonly [Step, Step] | null }
  | { readonly do: 'sequence'; readonly steps: readonly Step[] }
  | { readonly do: 'parallel'; readonly steps: readonly Step[]; readonly atMost: number }
  | {
      readonly do: 'loop'
      readonly items: readonly string[]
      readonly atMost: number
      readonly step: Step
    }
  /** Continues although the step fails. */
  | { readonly do: 'try'; readonly step: Step }

export type Program = { readonly id: string; readonly step: Step }

/** The result of one place of a program. */
export type Line = {
  readonly place: string
  readonly what: 'made' | 'seen' | 'said' | 'failed'
  readonly value: string
}
