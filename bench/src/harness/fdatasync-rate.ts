import { closeSync, fdatasyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const BLOCK = Buffer.alloc(4096, 'x')
const FDATASYNC_MS = 400

/** How often a second this folder's disk makes 4 KiB at the end of a file durable: no honest commit rate of one caller is above it. */
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
