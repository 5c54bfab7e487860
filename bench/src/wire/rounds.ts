import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Contender } from './contenders.ts'
import { type Measured, type MeasureOptions, measure } from './measure.ts'
import { end, LOAD_CORE, next, spawnPinned } from './pinned.ts'
import type { StdioTold } from './stdio-client.ts'

export const STDIO = ['stdio-sdk', 'stdio-surehand'] as const
export type Stdio = (typeof STDIO)[number]

/** By id, one a round; none where a round failed. */
export type Results = {
  readonly wire: ReadonlyMap<string, readonly Measured[]>
  readonly stdio: ReadonlyMap<Stdio, readonly StdioTold[]>
  readonly failed: ReadonlyMap<string, string>
  readonly cpuMs: number
}

export type RoundsOptions = Omit<MeasureOptions, 'place'> & {
  readonly contenders: readonly Contender[]
  readonly stdio: readonly Stdio[]
  readonly rounds: number
  readonly folder: string
}

const STDIO_CLIENT = fileURLToPath(new URL('stdio-client.ts', import.meta.url))

/** Runs all contenders in turn, then all again: a slow minute of the machine falls on everybody. */
export async function runRounds({
  contenders,
  stdio,
  rounds,
  folder,
  ...options
}: RoundsOptions): Promise<Results> {
  const wire = new Map<string, Measured[]>(contenders.map(({ id }) => [id, []]))
  const pipes = new Map<Stdio, StdioTold[]>(stdio.map((id) => [id, []]))
  const failed = new Map<string, string>()
  let cpuMs = 0

  // what failed once fails again, and costs the time of the others
  async function tried(id: string, work: () => Promise<string>, round: number): Promise<void> {
    if (failed.has(id)) return
    const told = await work().catch((thrown: unknown) => {
      failed.set(id, String(thrown))
      return `failed: ${thrown}`
    })
    console.log(`round ${round} of ${rounds}  ${id}: ${told}`)
  }

  for (let round = 1; round <= rounds; round += 1) {
    for (const contender of contenders) {
      const work = async (): Promise<string> => {
        const measured = await measure(contender, {
          ...options,
          place: join(folder, `${contender.id}-${round}.db`),
        })
        wire.get(contender.id)?.push(measured)
        cpuMs += measured.cpuMs
        return toldOf(measured)
      }
      await tried(contender.id, work, round)
    }
    for (const id of stdio) {
      const work = async (): Promise<string> => {
        const told = await roundTrips(id, options)
        pipes.get(id)?.push(told)
        return `${told.p50Us.toFixed(0)} µs a round trip, ${told.cpuUs.toFixed(0)} µs of CPU`
      }
      await tried(id, work, round)
    }
  }
  for (const id of failed.keys()) {
    wire.delete(id)
    pipes.delete(id as Stdio)
  }
  return { wire, stdio: pipes, failed, cpuMs }
}

async function roundTrips(
  id: Stdio,
  { warmUpMs, timedMs }: Pick<MeasureOptions, 'warmUpMs' | 'timedMs'>,
): Promise<StdioTold> {
  const client = spawnPinned({
    core: LOAD_CORE,
    file: STDIO_CLIENT,
    args: [id, String(warmUpMs), String(timedMs)],
  })
  try {
    return await next<StdioTold>(client)
  } finally {
    await end(client)
  }
}

function toldOf({ by, inProcess }: Measured): string {
  const rates = [by[1], by[16], by[64]].map(({ rate }) => Math.round(rate)).join(' / ')
  const beside = inProcess === undefined ? '' : `, in process ${Math.round(inProcess.rate)}/s`
  return `${rates} a second, p99 ${by[64].p99Ms.toFixed(1)} ms, ${by[64].cpuUs.toFixed(0)} µs of CPU${beside}`
}
