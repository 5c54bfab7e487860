/** By contender id: one entry per round, or the error of the round that failed. */
export type RoundResults<Figures> = {
  /** Empty for a contender that failed in any round. */
  readonly figuresOf: (id: string) => readonly Figures[]
  readonly failures: ReadonlyMap<string, Error>
}

export type RoundsOptions<Contender, Figures> = {
  readonly rounds: number
  /** Rejects when the contender cannot be measured. Round 0 is the warm-up. */
  readonly measure: (contender: Contender, round: number) => Promise<Figures>
  /** One line of progress for each measurement; without it, one for each round. */
  readonly describe?: (figures: Figures) => string
  /** Runs a round before the first one, whose figures are dropped. */
  readonly hasWarmUp?: boolean
  /** Which contenders take part in a round; all of them unless given. */
  readonly takesPart?: (contender: Contender, round: number) => boolean
}

/**
 * Measures every contender once per round, one after the other, so that a slow minute of the machine affects all
 * of them. A contender that failed is left out of later rounds: it would fail again and take the others' time.
 */
export async function runRounds<Contender extends { readonly id: string }, Figures>(
  contenders: readonly Contender[],
  { rounds, measure, describe, hasWarmUp = false, takesPart }: RoundsOptions<Contender, Figures>,
): Promise<RoundResults<Figures>> {
  const results = new Map<string, Figures[]>(contenders.map(({ id }) => [id, []]))
  const failures = new Map<string, Error>()
  for (let round = hasWarmUp ? 0 : 1; round <= rounds; round += 1) {
    const name = round === 0 ? 'warm-up' : `round ${round} of ${rounds}`
    for (const contender of contenders) {
      const { id } = contender
      if (failures.has(id) || takesPart?.(contender, round) === false) continue
      try {
        const figures = await measure(contender, round)
        if (round > 0) results.get(id)?.push(figures)
        if (describe !== undefined) console.log(`${name}  ${id}: ${describe(figures)}`)
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown))
        failures.set(id, error)
        results.delete(id)
        console.log(`${name}  ${id}: failed: ${error.message}`)
      }
    }
    if (describe === undefined) console.log(name)
  }
  return { figuresOf: (id) => results.get(id) ?? [], failures }
}
