import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inputs } from '../core/inputs.ts'
import { checkServer } from './check-server.ts'
import type { HttpContender, InProcessFigures } from './contenders.ts'
import type { Load, LoadFigures } from './load.ts'
import {
  ask,
  BOTH_CORES,
  endProcess,
  LOAD_CORE,
  nextMessage,
  SERVER_CORE,
  spawnPinned,
} from './pinned-process.ts'
import { KEY_DIGITS, requestTexts } from './protocols.ts'
import type { CpuUse, Listening, ServerOrder } from './server-child.ts'

export const CONNECTIONS = [1, 16, 64] as const
export type Connections = (typeof CONNECTIONS)[number]

/** The figures of one server under one load. */
export type LoadResult = {
  readonly rate: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly cpuUs: number
}

/** One contender in one round. */
export type HttpFigures = {
  readonly kind: 'http'
  readonly by: Readonly<Record<Connections, LoadResult>>
  readonly inProcess?: InProcessFigures
  readonly cpuMs: number
}

export type MeasureOptions = {
  readonly warmUpMs: number
  readonly timedMs: number
  /** For servers that store something: a file that does not exist yet. */
  readonly databaseFile: string
  /** A folder for the server's CPU profiles. */
  readonly profile?: string | undefined
}

const SERVER = fileURLToPath(new URL('server-child.ts', import.meta.url))
const LOAD = fileURLToPath(new URL('load.ts', import.meta.url))
export const WARM_UP = { requests: 20_000, mostMs: 20_000 }
// As long as a token of ours, so that every server reads as many bytes.
const UNUSED_TOKEN = 'x'.repeat(80)

/** A new server on its core: checked, warmed up, and timed under each load. */
export async function measureHttp(
  contender: HttpContender,
  { warmUpMs, timedMs, databaseFile, profile }: MeasureOptions,
): Promise<HttpFigures> {
  // Without a name of ours: the main thread and the writer thread would write the same file.
  const execArgv =
    profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(profile, contender.id)}`]
  const server = spawnPinned({
    core: contender.cores === 'both' ? BOTH_CORES : SERVER_CORE,
    file: SERVER,
    args: [contender.id, databaseFile],
    execArgv,
  })
  const loader = spawnPinned({
    core: contender.cores === 'both' ? BOTH_CORES : LOAD_CORE,
    file: LOAD,
  })
  const isKeyed = contender.protocol === 'keyed envelope'
  try {
    const { port, token = UNUSED_TOKEN } = await nextMessage<Listening>(server)
    await checkServer(contender, port, token)
    const requests = requestTexts(contender.protocol, port, { token, inputs })
    let first = 0
    let cpuMs = 0

    const load = async (
      connections: number,
      forMs: number,
      more: Partial<Load> = {},
    ): Promise<LoadFigures> => {
      const serial = isKeyed ? { serial: { digits: KEY_DIGITS, first } } : {}
      const order: Load = { port, requests, connections, forMs, ...more, ...serial }
      const figures = await ask<LoadFigures>(loader, order)
      first += figures.requests + connections
      cpuMs += figures.cpuMs
      return figures
    }
    const cpuUse = async (): Promise<number> =>
      (await ask<CpuUse>(server, { kind: 'cpu' } satisfies ServerOrder)).cpuUs
    const timeLoad = async (connections: number): Promise<LoadResult> => {
      await load(connections, warmUpMs / 4)
      const before = await cpuUse()
      const { requests: count, seconds, p50Ms, p99Ms } = await load(connections, timedMs)
      const after = await cpuUse()
      return { rate: count / seconds, p50Ms, p99Ms, cpuUs: (after - before) / count }
    }

    await load(16, warmUpMs, { atLeast: WARM_UP })
    const by = { 1: await timeLoad(1), 16: await timeLoad(16), 64: await timeLoad(64) }
    const order: ServerOrder = { kind: 'in process', callers: 64, timedMs }
    const inProcess = isKeyed ? { inProcess: await ask<InProcessFigures>(server, order) } : {}
    return { kind: 'http', by, ...inProcess, cpuMs: cpuMs + (await cpuUse()) / 1000 }
  } finally {
    await Promise.all([endProcess(server), endProcess(loader)])
  }
}
