import { fileURLToPath } from 'node:url'
import { inputs } from '../core/inputs.ts'
import { checkServer } from './check-server.ts'
import type { Contender, InProcess } from './contenders.ts'
import type { Load, Loaded } from './load.ts'
import { ask, end, LOAD_CORE, next, SERVER_CORE, spawnPinned } from './pinned.ts'
import type { CpuTold, Listening, ServerOrder } from './server-child.ts'
import { KEY_DIGITS, requestText } from './speech.ts'

export const CONNECTIONS = [1, 16, 64] as const
export type Connections = (typeof CONNECTIONS)[number]

/** What one server did under one load. */
export type Figures = {
  readonly rate: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly cpuUs: number
}

/** One contender in one round. */
export type Measured = {
  readonly by: Readonly<Record<Connections, Figures>>
  readonly inProcess?: InProcess
  readonly cpuMs: number
}

export type MeasureOptions = {
  readonly warmUpMs: number
  readonly timedMs: number
  /** For servers that keep something: a file that is not there yet. */
  readonly place: string
  /** A folder for the server's CPU profiles. */
  readonly profile?: string | undefined
}

const SERVER = fileURLToPath(new URL('server-child.ts', import.meta.url))
const LOAD = fileURLToPath(new URL('load.ts', import.meta.url))
export const WARM = { requests: 20_000, mostMs: 20_000 }
// as long as a token of ours, so that everybody reads as many bytes
const NOBODY = 'x'.repeat(80)

/** A fresh server on its core, checked, warmed up, and timed under each load. */
export async function measure(
  contender: Contender,
  { warmUpMs, timedMs, place, profile }: MeasureOptions,
): Promise<Measured> {
  const execArgv =
    profile === undefined
      ? []
      : ['--cpu-prof', `--cpu-prof-dir=${profile}`, `--cpu-prof-name=${contender.id}.cpuprofile`]
  const server = spawnPinned({
    core: SERVER_CORE,
    file: SERVER,
    args: [contender.id, place],
    execArgv,
  })
  const loader = spawnPinned({ core: LOAD_CORE, file: LOAD })
  try {
    const { port, token = NOBODY } = await next<Listening>(server)
    await checkServer(contender, port, token)
    const requests = inputs.map((input) => requestText(contender.speaks, port, { token, input }))
    let first = 0
    let cpuMs = 0

    const load = async (
      connections: number,
      forMs: number,
      more: Partial<Load> = {},
    ): Promise<Loaded> => {
      const serial =
        contender.speaks === 'keyed envelope' ? { serial: { digits: KEY_DIGITS, first } } : {}
      const loaded = await ask<Loaded>(loader, {
        port,
        requests,
        connections,
        forMs,
        ...more,
        ...serial,
      } satisfies Load)
      first += loaded.requests + connections
      cpuMs += loaded.cpuMs
      return loaded
    }
    const timed = async (connections: number): Promise<Figures> => {
      await load(connections, warmUpMs / 4)
      const before = await ask<CpuTold>(server, { kind: 'cpu' } satisfies ServerOrder)
      const { requests: count, seconds, p50Ms, p99Ms } = await load(connections, timedMs)
      const after = await ask<CpuTold>(server, { kind: 'cpu' } satisfies ServerOrder)
      return { rate: count / seconds, p50Ms, p99Ms, cpuUs: (after.cpuUs - before.cpuUs) / count }
    }

    await load(16, warmUpMs, { atLeast: WARM })
    const by = { 1: await timed(1), 16: await timed(16), 64: await timed(64) }
    const order: ServerOrder = { kind: 'in process', callers: 64, timedMs }
    const inProcess =
      contender.speaks === 'keyed envelope'
        ? { inProcess: await ask<InProcess>(server, order) }
        : {}
    const { cpuUs } = await ask<CpuTold>(server, { kind: 'cpu' } satisfies ServerOrder)
    return { by, ...inProcess, cpuMs: cpuMs + cpuUs / 1000 }
  } finally {
    await Promise.all([end(server), end(loader)])
  }
}
