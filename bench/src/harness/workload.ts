/** What all contenders of a suite are called with, and what they must answer. */
export type Workload = {
  readonly inputs: readonly object[]
  /** Must be refused by whoever validates its input, and is answered by whoever doesn't. */
  readonly invalidInputs: readonly object[]
  /** Must be refused by whoever validates its output. */
  readonly overflowingInput: object
  readonly expected: (input: object) => Promise<unknown>
}
