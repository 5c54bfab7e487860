import { loadavg } from 'node:os'
import { cpuTimes } from './cpu-times.ts'
import { fdatasyncRate } from './fdatasync-rate.ts'

export type Noise = {
  /** Of all CPU time there was, the share that went to neither this run nor idleness. */
  readonly foreignCpu: number
  /** The load averages over 1, 5 and 15 minutes, at the end. */
  readonly load: readonly number[]
  /** Raw fdatasync calls a second, before and after. */
  readonly fdatasync: readonly [number, number]
}

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
