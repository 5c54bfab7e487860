/** Which values a contender validates. The harness tries it out before timing, so the table cannot claim more than is done. */
export type Validates = 'nothing' | 'input' | 'input, output'

/** One row of a table. The parent process reads only this; `load` imports the peer's packages in the child process that runs it. */
export type Contender = {
  readonly id: string
  readonly label: string
  readonly does: string
  readonly validates: Validates
  readonly load: () => Promise<Start>
}

export type Start = () => Promise<Subject>

/** A contender ready to be called. `subject` creates one and keeps the payload's type between its functions. */
export type Subject = {
  /** Not timed: turns the plain input into what this contender is given (an object, JSON text, a tool call …). */
  readonly payload: (input: object) => unknown
  /** Timed. `serial` is new with every call, for contenders that need an idempotency key. */
  readonly call: (payload: unknown, serial: number) => Promise<unknown>
  /** Timed and subtracted, for an agent loop of which only the tool call's share is wanted. */
  readonly without?: (payload: unknown) => Promise<unknown>
  /** Not timed: the tool's output in the contender's answer. Throws where the answer is a refusal. */
  readonly output: (answer: unknown) => unknown
}

type TypedSubject<Payload, Answer> = {
  readonly payload: (input: object) => Payload
  readonly call: (payload: Payload, serial: number) => Promise<Answer>
  readonly without?: (payload: Payload) => Promise<unknown>
  readonly output: (answer: Answer) => unknown
}

export function subject<Payload, Answer>(typed: TypedSubject<Payload, Answer>): Subject {
  // The types may be erased: the harness passes only values that functions of the same subject returned.
  return typed as unknown as Subject
}

/** The inputs that all contenders of a table are called with, and the answers they must give. */
export type Workload = {
  readonly inputs: readonly object[]
  /** A contender that validates its input must refuse these; any other must answer them. */
  readonly invalidInputs: readonly object[]
  /** A contender that validates its output must refuse this one. */
  readonly overflowingInput: object
  readonly expected: (input: object) => Promise<unknown>
}
