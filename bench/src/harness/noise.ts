import { closeSync, fdatasyncSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'

export type Noise = {
  /** Of all CPU time there was, the share that went to neither this run nor idleness. */
  readonly foreignCpu: number
  /** The load averages over 1, 5 and 15 minutes, at the end. */
  readonly load: readonly number[]
  /** Raw fdatasync calls a second, before and after. */
  readonly fdatasync: readonly [number, number]
}

type CpuTimes = { readonly busyMs: number; readonly totalMs: number }

const TICK_MS = 10
const FDATASYNC_MS = 400

/** Starts watching the machine; the answer, called with the CPU time the run itself has used, ends it. */
export function watchNoise(folder: string): (ownCpuMs: number) => Noise {
  const before = fdatasyncRate(folder)
  const start = cpuTimes()
  return (ownCpuMs) => {
    const end = cpuTimes()
    const foreignMs = end.busyMs - start.busyMs - ownCpuMs
    return {
      foreignCpu: Math.max(0, foreignMs / (end.totalMs - start.totalMs)),
      load: loadavg(),
      fdatasync: [before, fdatasyncRate(folder)],
    }
  }
}

function cpuTimes(): CpuTimes {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number)
  const busyMs = (user + nice + system + irq + softirq + steal) * TICK_MS
  return { busyMs, totalMs: busyMs + (idle + iowait) * TICK_MS }
}

function fdatasyncRate(folder: string): number {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `fdatasync-${process.pid}`)
  const file = openSync(path, 'w')
  const block = Buffer.alloc(512, 'x')
  const start = performance.now()
  let count = 0
  while (performance.now() - start < FDATASYNC_MS) {
    writeSync(file, block)
    fdatasyncSync(file)
    count += 1
  }
  const seconds = (performance.now() - start) / 1000
  closeSync(file)
  rmSync(path)
  return count / seconds
}
