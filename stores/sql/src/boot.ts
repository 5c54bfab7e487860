import { readFileSync, readlinkSync } from 'node:fs'

/**
 * Names this boot of this machine, for `systemClock({ boot })`: processes with the same name share a
 * monotonic clock, so leases between them do not depend on the wall clock. Undefined outside Linux.
 */
export function readBoot(): string | undefined {
  try {
    const id = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // A container may have a monotonic clock of its own, in its own time namespace.
    return `${id} ${readlinkSync('/proc/self/ns/time')}`
  } catch {
    return undefined
  }
}
