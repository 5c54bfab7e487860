#!/usr/bin/env node
// Plain JavaScript on purpose: an old Node cannot run the .ts scripts, so they could not report the problem.
// A command of its own, because a shell remembers where it found `node` and would start the old one again.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PLACE = join(dirname(fileURLToPath(import.meta.url)), 'node24')
const PACKAGE = join(PLACE, 'node_modules', `node-${process.platform}-${process.arch}`)
const BINARY = join(PACKAGE, 'bin', 'node')
// The npm scripts look for programs here first.
const LINK = join(PLACE, '../../../node_modules/.bin/node')

const isRecent = Number.parseInt(process.versions.node, 10) >= 24
if (!isRecent && isOffered() && bringNode()) linkNode()
else if (!process.features.typescript) {
  console.error(`Surehand needs Node 22.18 or newer to run its TypeScript; this is Node ${process.versions.node}.
On Linux (x64, arm64) the npm scripts install Node 24 themselves, if the registry can be reached. Elsewhere, install Node 24 first.`)
  process.exit(1)
}

function isOffered() {
  return process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
}

function bringNode() {
  if (existsSync(BINARY)) return true
  console.error(
    `This is Node ${process.versions.node}: installing Node 24 into scripts/node-version/node24, once.`,
  )
  spawnSync('npm', ['ci', '--ignore-scripts', '--prefix', PLACE], { stdio: 'inherit' })
  // Headers for native code, a third of the package.
  rmSync(join(PACKAGE, 'include'), { recursive: true, force: true })
  return existsSync(BINARY)
}

function linkNode() {
  if (existsSync(LINK) && readlinkSync(LINK) === BINARY) return
  mkdirSync(dirname(LINK), { recursive: true })
  // Renamed into place: another script that starts now finds the old link or the new one.
  const temporary = `${LINK}.${process.pid}`
  symlinkSync(BINARY, temporary)
  renameSync(temporary, LINK)
}
