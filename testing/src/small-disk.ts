import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of a few megabytes in memory, for tests of what happens when it is full. */
export type SmallDisk = {
  /** Leaves no room for another byte; the returned function makes room again. */
  readonly fill: () => () => void
  readonly close: () => void
}

/** Mounts a small disk at this folder. */
export function openSmallDisk(folder: string): SmallDisk {
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder], { stdio: 'ignore' })
  const ballast = join(folder, 'ballast')
  return {
    fill() {
      for (const bytes of [1 << 20, 4_096, 1]) appendUntilFull(ballast, bytes)
      return () => rmSync(ballast)
    },
    // A process that was killed a moment ago may still have a file open.
    close: () => void execFileSync('umount', ['--lazy', folder]),
  }
}

/** Whether this process may mount a disk: root usually may, but not in every container. */
export function canOpenSmallDisk(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-disk-'))
  try {
    openSmallDisk(folder).close()
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function appendUntilFull(file: string, bytes: number): void {
  try {
    for (;;) appendFileSync(file, Buffer.alloc(bytes))
  } catch {
    // There is no room for so many bytes.
  }
}
