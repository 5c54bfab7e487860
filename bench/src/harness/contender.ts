/** What a contender checks; the harness tries it, so that the table cannot claim more than is done. */
export type Validates = 'nothing' | 'input' | 'input, output'

/** One row of a table. The parent reads this alone; `load` brings the peer's packages into the child that runs it. */
export type Contender = {
  readonly id: string
  readonly label: string
  readonly does: string
  readonly validates: Validates
  readonly load: () => Promise<Start>
}

export type Start = () => Promise<Subject>

/** A contender ready to be called. `subject` makes one, keeping the payload's type between its functions. */
export type Subject = {
  /** Untimed: turns the plain input into what this contender is handed (an object, JSON text, a tool call …). */
  readonly payload: (input: object) => unknown
  /** Timed. `serial` is new with every call, for contenders that need a key of their own. */
  readonly call: (payload: unknown, serial: number) => Promise<unknown>
  /** Timed and taken off, for a loop of which only the tool call's share is wanted. */
  readonly without?: (payload: unknown) => Promise<unknown>
  /** Untimed: the tool's output in the contender's answer. Throws where the answer is a refusal. */
  readonly output: (answer: unknown) => unknown
}

type Parts<Payload, Answer> = {
  readonly payload: (input: object) => Payload
  readonly call: (payload: Payload, serial: number) => Promise<Answer>
  readonly without?: (payload: Payload) => Promise<unknown>
  readonly output: (answer: Answer) => unknown
}

export function subject<Payload, Answer>(parts: Parts<Payload, Answer>): Subject {
  // erased here: the harness hands back only what the same subject's functions gave it
  return parts as unknown as Subject
}
