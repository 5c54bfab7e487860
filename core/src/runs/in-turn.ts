/**
 * Several at once, at most so many. When one fails the others begin nothing more, what they have under way comes home first,
 * and of several failures the first in the list is told: a run that is driven again hears the same.
 */
export async function inTurn<R>(
  names: readonly string[],
  atMost: number,
  work: (name: string, isLeft: () => boolean) => Promise<R>,
): Promise<readonly R[]> {
  const answers = new Array<R>(names.length)
  const failures = new Map<number, unknown>()
  let next = 0
  return new Promise((resolve, reject) => {
    let running = 0
    const isLeft = (): boolean => failures.size > 0

    function begin(): void {
      while (running < atMost && next < names.length && !isLeft()) {
        const index = next++
        running++
        work(names[index] as string, isLeft).then(
          (answer) => ended(() => (answers[index] = answer)),
          (failure) => ended(() => failures.set(index, failure)),
        )
      }
      if (running === 0) resolve(answers)
    }

    function ended(note: () => void): void {
      running--
      note()
      if (isLeft()) reject(failures.get(Math.min(...failures.keys())))
      else begin()
    }

    begin()
  })
}
