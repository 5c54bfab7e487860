import {
  closeSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'

export type Noise = {
  /** The share of all CPU time that went neither to this run nor to idling; undefined where the run's own CPU time is not known. */
  readonly foreignCpu: number | undefined
  /** The load averages over 1, 5 and 15 minutes, at the end. */
  readonly load: readonly number[]
  /** Raw fdatasync calls per second, before and after. */
  readonly fdatasync: readonly [number, number]
}

/** Starts watching the machine. Call the result with the CPU time that child processes of the run have used. */
export function watchNoise(folder: string): (childCpuMs: number | undefined) => Noise {
  const before = fdatasyncRate(folder)
  const start = cpuTimes()
  const own = process.cpuUsage()
  return (childCpuMs) => {
    const end = cpuTimes()
    const { user, system } = process.cpuUsage(own)
    return {
      foreignCpu:
        childCpuMs === undefined
          ? undefined
          : foreignCpuShare(start, end, childCpuMs + (user + system) / 1000),
      load: loadavg(),
      fdatasync: [before, fdatasyncRate(folder)],
    }
  }
}

/** The CPU time of all cores since the machine was started. */
export type CpuTimes = { readonly busyMs: number; readonly totalMs: number }

/** The unit of CPU times in /proc. */
export const TICK_MS = 10

export function cpuTimes(): CpuTimes {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] =
    line.trim().split(/\s+/).slice(1).map(Number)
  const busyMs = (user + nice + system + irq + softirq + steal) * TICK_MS
  return { busyMs, totalMs: busyMs + (idle + iowait) * TICK_MS }
}

/** The share of the CPU time between two readings that other processes used, given what the run itself used. */
export function foreignCpuShare(start: CpuTimes, end: CpuTimes, ownMs: number): number {
  return Math.max(0, (end.busyMs - start.busyMs - ownMs) / (end.totalMs - start.totalMs))
}

const BLOCK = Buffer.alloc(4096, 'x')
const FDATASYNC_MS = 400

/** How often per second the folder's disk makes 4 KiB appended to a file durable. A single caller cannot commit more often than this. */
export function fdatasyncRate(folder: string): number {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `fdatasync-${process.pid}`)
  const file = openSync(path, 'w')
  const start = performance.now()
  let count = 0
  while (performance.now() - start < FDATASYNC_MS) {
    writeSync(file, BLOCK)
    fdatasyncSync(file)
    count += 1
  }
  const seconds = (performance.now() - start) / 1000
  closeSync(file)
  rmSync(path)
  return count / seconds
}
