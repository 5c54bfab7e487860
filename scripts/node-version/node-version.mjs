#!/usr/bin/env node
// Plain JavaScript on purpose: an old Node cannot run the .ts scripts, so they could not report the problem.
// A command of its own, because a shell remembers where it found `node` and would start the old one again.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PLACE = join(dirname(fileURLToPath(import.meta.url)), 'node24')
const PACKAGE = join('node_modules', `node-${process.platform}-${process.arch}`)
const HEADERS = join(PACKAGE, 'include')
const BINARY = join(PLACE, PACKAGE, 'bin', 'node')
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
  // Beside its place and renamed: two commands may be the first at once, and one may be interrupted.
  const folder = `${PLACE}/node_modules.${process.pid}`
  for (const file of ['package.json', 'package-lock.json'])
    cpSync(join(PLACE, file), join(folder, file))
  spawnSync('npm', ['ci', '--ignore-scripts', '--prefix', folder], { stdio: 'inherit' })
  // Headers for native code, a third of the package.
  rmSync(join(folder, HEADERS), { recursive: true, force: true })
  try {
    renameSync(join(folder, 'node_modules'), join(PLACE, 'node_modules'))
  } catch {
    // Another command was first, or npm has said what failed.
  }
  rmSync(folder, { recursive: true, force: true })
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
