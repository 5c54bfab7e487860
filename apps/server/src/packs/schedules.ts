import type { Pack, Runtime } from '@surehand/core'
import type { PackSchedule } from '@surehand/core/host'
import { toMs } from '@surehand/core/internal'
import type { Clock } from '@surehand/core/ports'
import { systemCaller } from '@surehand/identity'

export type ScheduleContext = {
  readonly packs: readonly Pick<Pack, 'name' | 'schedules'>[]
  readonly runtime: Pick<Runtime, 'call'>
  readonly clock: Clock
  /** The tenants for which scheduled tools are called. */
  readonly tenants: () => Promise<readonly string[]>
  readonly onTrouble: (thrown: unknown) => void
}

/**
 * Calls the scheduled tools of packs until stopped. Every node does it: the idempotency key of a
 * call names its period, so the ledger lets one of them through.
 */
export function startSchedules(context: ScheduleContext): () => Promise<void> {
  const stops = context.packs.flatMap(({ name, schedules }) =>
    schedules.map((schedule) => startSchedule(name, schedule, context)),
  )
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

function startSchedule(
  pack: string,
  { name, every, tool, input = {} }: PackSchedule,
  { runtime, clock, tenants, onTrouble }: ScheduleContext,
): () => Promise<void> {
  const everyMs = toMs(every)
  let cancel = (): void => undefined
  let isStopped = false
  let running: Promise<void> = Promise.resolve()

  async function runPeriod(period: number): Promise<void> {
    for (const tenant of await tenants()) {
      const outcome = await runtime.call({
        tool,
        input,
        caller: systemCaller(tenant),
        surface: 'schedule',
        idempotencyKey: `schedule/${pack}/${name}/${period}`,
      })
      if (outcome.status === 'failed' && outcome.error.code !== 'TOOL_ALREADY_RUNNING')
        onTrouble(
          new Error(
            `The scheduled call of ${tool} (${pack}/${name}) failed in tenant ${tenant}: ${outcome.error.code}`,
            { cause: outcome.error },
          ),
        )
    }
  }

  function waitForNext(): void {
    const now = clock.now()
    const period = Math.floor(now / everyMs) + 1
    cancel = clock.after(period * everyMs - now, () => {
      running = runPeriod(period)
        .catch(onTrouble)
        .then(() => (isStopped ? undefined : waitForNext()))
    })
  }

  waitForNext()
  return async () => {
    isStopped = true
    cancel()
    await running
  }
}
