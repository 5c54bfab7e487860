/** An element that could be meant, with a selector that finds it again. */
export type Candidate = {
  readonly selector: string
  readonly name: string
  readonly role?: string
  readonly action?: string
  readonly landmark?: { readonly role: string; readonly name?: string }
}

/** A form as the page would send it, without the values of secret fields. */
export type FormView = {
  readonly method: string
  readonly enctype: string
  readonly action: string
  readonly fields: readonly {
    readonly name: string
    readonly label?: string
    readonly value: string
  }[]
  readonly problems: readonly { readonly field: string; readonly message: string }[]
}

export type Value = {
  readonly url?: string
  readonly candidates?: readonly Candidate[]
  readonly form?: FormView
  readonly repeated?: boolean
}

export type Code =
  | 'not_found'
  | 'not_allowed'
  | 'invalid'
  | 'navigation_failed'
  | 'timeout'
  | 'failed'
  | 'unsupported'

/** Why a command was not carried out. The message is for the agent and the visitor. */
export type Refusal = {
  readonly code: Code
  readonly message: string
  readonly candidates?: readonly Candidate[]
  readonly form?: FormView
}

/** Stops a command; `execute` reports why. A class of errors would make the script larger. */
export function refuse(
  code: Code,
  message: string,
  more: Pick<Refusal, 'candidates' | 'form'> = {},
): never {
  throw { code, message, ...more } satisfies Refusal
}

export type Report =
  | {
      readonly type: 'hello'
      readonly version: number
      readonly url: string
      readonly title: string
    }
  | { readonly type: 'result'; readonly id: string; readonly value: Value }
  | {
      readonly type: 'error'
      readonly id: string
      readonly code: Code
      readonly message: string
      readonly candidates?: readonly Candidate[]
      readonly form?: FormView
    }
  | {
      readonly type: 'status'
      readonly state: 'ready' | 'navigating' | 'arrived' | 'failed'
      readonly id?: string
      readonly url?: string
      readonly title?: string
    }
