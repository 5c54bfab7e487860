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

/** A server on its core with its load generator, checked. */
export type OpenedServer = {
  readonly load: (connections: number, forMs: number, more?: Partial<Load>) => Promise<LoadFigures>
  readonly timeLoad: (connections: number, forMs: number) => Promise<LoadResult>
  readonly inProcess: (callers: number, timedMs: number) => Promise<InProcessFigures>
  /** CPU time of both so far. */
  readonly cpuMs: () => Promise<number>
  readonly close: () => Promise<void>
}

export async function openServer(
  contender: HttpContender,
  { databaseFile, profile }: Pick<MeasureOptions, 'databaseFile' | 'profile'>,
): Promise<OpenedServer> {
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
  const close = async (): Promise<void> => {
    await Promise.all([endProcess(server), endProcess(loader)])
  }
  try {
    const { port, token = UNUSED_TOKEN } = await nextMessage<Listening>(server)
    await checkServer(contender, port, token)
    const requests = requestTexts(contender.protocol, port, { token, inputs })
    const isKeyed = contender.protocol === 'keyed envelope'
    let first = 0
    let loaderMs = 0

    const load: OpenedServer['load'] = async (connections, forMs, more = {}) => {
      const serial = isKeyed ? { serial: { digits: KEY_DIGITS, first } } : {}
      const order: Load = { port, requests, connections, forMs, ...more, ...serial }
      const figures = await ask<LoadFigures>(loader, order)
      first += figures.requests + connections
      loaderMs += figures.cpuMs
      return figures
    }
    const cpuUs = async (): Promise<number> =>
      (await ask<CpuUse>(server, { kind: 'cpu' } satisfies ServerOrder)).cpuUs
    return {
      load,
      async timeLoad(connections, forMs) {
        const before = await cpuUs()
        const { requests: count, seconds, p50Ms, p99Ms } = await load(connections, forMs)
        const after = await cpuUs()
        return { rate: count / seconds, p50Ms, p99Ms, cpuUs: (after - before) / count }
      },
      inProcess: (callers, timedMs) =>
        ask<InProcessFigures>(server, {
          kind: 'in process',
          callers,
          timedMs,
        } satisfies ServerOrder),
      cpuMs: async () => loaderMs + (await cpuUs()) / 1000,
      close,
    }
  } catch (thrown) {
    await close()
    throw thrown
  }
}

/** A new server on its core: checked, warmed up, and timed under each load. */
export async function measureHttp(
  contender: HttpContender,
  { warmUpMs, timedMs, ...options }: MeasureOptions,
): Promise<HttpFigures> {
  const server = await openServer(contender, options)
  try {
    const timeLoad = async (connections: number): Promise<LoadResult> => {
      await server.load(connections, warmUpMs / 4)
      return server.timeLoad(connections, timedMs)
    }
    await server.load(16, warmUpMs, { atLeast: WARM_UP })
    const by = { 1: await timeLoad(1), 16: await timeLoad(16), 64: await timeLoad(64) }
    const inProcess =
      contender.protocol === 'keyed envelope'
        ? { inProcess: await server.inProcess(64, timedMs) }
        : {}
    return { kind: 'http', by, ...inProcess, cpuMs: await server.cpuMs() }
  } finally {
    await server.close()
  }
}
