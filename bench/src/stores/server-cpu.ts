import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TICK_MS } from '../harness/cpu-times.ts'

/** The CPU time that a PostgreSQL server has used so far, with all its processes: its work is no foreign noise. */
export function serverCpuMs(dataFolder: string): number {
  const server = Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0])
  const own = statOf(server)
  if (own === undefined) return 0
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === server)
  const ticks = children.reduce((sum, stat) => sum + (stat?.ticks ?? 0), own.ticks + own.childTicks)
  return ticks * TICK_MS
}

function statOf(
  pid: number,
): { readonly parent: number; readonly ticks: number; readonly childTicks: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // the name, in parentheses, may hold spaces
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent = 0, user = 0, system = 0, childUser = 0, childSystem = 0] = [
      1, 11, 12, 13, 14,
    ].map((index) => fields[index])
    return { parent, ticks: user + system, childTicks: childUser + childSystem }
  } catch {
    return undefined
  }
}
