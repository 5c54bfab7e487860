/** Which of several failures was told, and how that is kept: a run that is driven again hears the same. */
export type ToldFailure = {
  readonly told: number | undefined
  readonly tell: (index: number) => void
}

/** Several at once, at most so many. When one fails the others begin nothing more, and the first to fail is told. */
export async function inTurn<R>(
  names: readonly string[],
  atMost: number,
  failure: ToldFailure,
  work: (name: string, isLeft: () => boolean) => Promise<R>,
): Promise<readonly R[]> {
  const answers = new Array<R>(names.length)
  let next = 0
  return new Promise((resolve, reject) => {
    let running = 0
    let hasFailed = false

    function begin(): void {
      while (running < atMost && next < names.length && !hasFailed) {
        const index = next++
        running++
        work(names[index] as string, () => hasFailed).then(
          (answer) => done(index, answer),
          (thrown) => failed(index, thrown),
        )
      }
      if (running === 0 && !hasFailed) resolve(answers)
    }

    function done(index: number, answer: R): void {
      running--
      answers[index] = answer
      begin()
    }

    function failed(index: number, thrown: unknown): void {
      running--
      // another was told before: its failure comes, from the journal
      if (hasFailed || (failure.told !== undefined && failure.told !== index)) return
      hasFailed = true
      if (failure.told === undefined) failure.tell(index)
      reject(thrown)
    }

    begin()
  })
}
