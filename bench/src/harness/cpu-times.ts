import { readFileSync } from 'node:fs'

/** What all cores have done since the machine was started. */
export type CpuTimes = { readonly busyMs: number; readonly totalMs: number }

export const TICK_MS = 10

export function cpuTimes(): CpuTimes {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] =
    line.trim().split(/\s+/).slice(1).map(Number)
  const busyMs = (user + nice + system + irq + softirq + steal) * TICK_MS
  return { busyMs, totalMs: busyMs + (idle + iowait) * TICK_MS }
}
