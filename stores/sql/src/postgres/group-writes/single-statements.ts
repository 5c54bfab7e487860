// So many runs in a row are taken for a proof. With fewer, a function that sends a second statement
// now and then would have its group rolled back too often.
const RUNS = 64

/** Which functions send one statement at most, as far as their last runs tell. */
export type SingleStatements = {
  readonly has: (name: string) => boolean
  /** How many statements a run has sent. */
  readonly learn: (name: string, statements: number) => void
  readonly forget: (name: string) => void
}

export function createSingleStatements(): SingleStatements {
  // The runs of each function in a row that have sent one statement at most.
  const inARow = new Map<string, number>()
  return {
    has: (name) => (inARow.get(name) ?? 0) >= RUNS,
    learn(name, statements) {
      if (statements > 1) inARow.delete(name)
      else inARow.set(name, Math.min(RUNS, (inARow.get(name) ?? 0) + 1))
    },
    forget: (name) => void inARow.delete(name),
  }
}
