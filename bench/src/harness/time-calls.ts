import type { Subject } from './contender.ts'

export type Plan = {
  /** The warm-up takes at least this long and this many calls: the time alone is too short for a slow contender's code to be compiled. */
  readonly warmUpMs: number
  readonly warmUpCalls: number
  readonly warmUpAtMostMs: number
  /** Long enough to contain garbage collections: with shorter batches the median would leave them out. */
  readonly batchMs: number
  readonly batches: number
}

/** Times calls one after another, in batches, and returns the microseconds per call of each batch. */
export async function timeCalls(
  subject: Subject,
  inputs: readonly object[],
  plan: Plan,
): Promise<number[]> {
  const payloads = inputs.map((input) => subject.payload(input))
  const { call, without } = subject
  let serial = 0
  const timeBatch = async (count: number): Promise<number> => {
    const start = process.hrtime.bigint()
    for (let index = 0; index < count; index += 1) {
      serial += 1
      await call(payloads[serial % payloads.length], serial)
    }
    return Number(process.hrtime.bigint() - start) / 1000
  }
  const timeWithout = async (count: number): Promise<number> => {
    if (without === undefined) return 0
    const start = process.hrtime.bigint()
    for (let index = 0; index < count; index += 1) await without(payloads[index % payloads.length])
    return Number(process.hrtime.bigint() - start) / 1000
  }

  const batchSize = await warmUp(
    async (count) => (await timeBatch(count)) + (await timeWithout(count)),
    plan,
  )
  const microseconds: number[] = []
  for (let batch = 0; batch < plan.batches; batch += 1) {
    const total = await timeBatch(batchSize)
    microseconds.push((total - (await timeWithout(batchSize))) / batchSize)
  }
  return microseconds
}

/** Runs until the warm-up is complete, and returns how many calls fill a batch. */
async function warmUp(run: (count: number) => Promise<number>, plan: Plan): Promise<number> {
  let size = 1
  let spentMs = 0
  let calls = 0
  while (spentMs < plan.warmUpAtMostMs && (spentMs < plan.warmUpMs || calls < plan.warmUpCalls)) {
    const tookMs = (await run(size)) / 1000
    spentMs += tookMs
    calls += size
    const fitting = Math.ceil((size * plan.batchMs) / Math.max(tookMs, 0.001))
    size = Math.max(1, Math.min(fitting, size * 2))
  }
  return size
}
