import type { Verdict } from './check-made.ts'
import type { Contender } from './contenders.ts'
import type { Ground } from './ground.ts'
import { CAP_MS, type Figures, type Ran, runChild } from './run-child.ts'

export type Result =
  | {
      readonly status: 'measured'
      readonly rounds: readonly Figures[]
      readonly tools: number
      readonly verdict: Verdict
    }
  | { readonly status: 'over' }
  | { readonly status: 'failed'; readonly error: string }

export type Results = ReadonlyMap<string, Result>

export type RoundsOptions = { readonly rounds: number; readonly onProgress: (line: string) => void }

/** Checks everybody once, untimed, then runs all in turn, and all again: a slow minute of the machine falls on everybody. */
export async function runRounds(
  contenders: readonly Contender[],
  ground: Ground,
  { rounds, onProgress }: RoundsOptions,
): Promise<{ readonly results: Results; readonly cpuMs: number }> {
  const results = new Map<string, Result>()
  let cpuMs = 0

  async function ran(contender: Contender): Promise<Result> {
    const one = await runChild([contender.id, ground.givenTo(contender)?.file ?? '', ground.bundle])
    if (one.status !== 'failed') cpuMs += one.cpuMs
    return judged(contender, one, ground)
  }

  // round 0 is the check, and fills the disk's cache
  for (let round = 0; round <= rounds; round += 1) {
    for (const contender of contenders) {
      const before = results.get(contender.id)
      // what failed once fails again, and costs the time of the others
      if (before !== undefined && before.status !== 'measured') continue
      const now = await ran(contender)
      results.set(contender.id, round === 0 ? uncounted(now) : added(before, now))
      onProgress(
        `${round === 0 ? 'check' : `round ${round} of ${rounds}`}  ${contender.id}: ${line(now)}`,
      )
    }
  }
  return { results, cpuMs }
}

function judged(contender: Contender, ran: Ran, ground: Ground): Result {
  if (ran.status !== 'done') return ran
  const { figures, tools, verdict } = ran
  const wanted = ground.givenTo(contender)?.operations
  if (contender.whose === 'ours' && (tools !== wanted || verdict !== 'whole'))
    return {
      status: 'failed',
      error: `${tools} tools of ${wanted} operations; the tool looked at: ${verdict}`,
    }
  return { status: 'measured', rounds: [figures], tools, verdict }
}

function uncounted(result: Result): Result {
  return result.status === 'measured' ? { ...result, rounds: [] } : result
}

function added(before: Result | undefined, now: Result): Result {
  if (before?.status !== 'measured' || now.status !== 'measured') return now
  if (before.tools !== now.tools || before.verdict !== now.verdict)
    return {
      status: 'failed',
      error: `${before.tools} tools (${before.verdict}), then ${now.tools} (${now.verdict})`,
    }
  return { ...now, rounds: [...before.rounds, ...now.rounds] }
}

function line(result: Result): string {
  switch (result.status) {
    case 'measured': {
      const [figures] = result.rounds
      return `${figures?.makeMs.toFixed(0)} ms, ${figures?.wholeMs.toFixed(0)} ms in all, ${result.tools} tools, ${result.verdict}`
    }
    case 'over':
      return `over ${CAP_MS / 1000} s`
    case 'failed':
      return `failed: ${result.error}`
  }
}
