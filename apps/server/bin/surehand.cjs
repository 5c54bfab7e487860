#!/usr/bin/env node
// Plain JavaScript that an old Node can read: it finds a Node that can run the rest. Not a module: Node starts those 2 ms later.

const { existsSync, lstatSync, mkdirSync } = require('node:fs')
const nodeModule = require('node:module')
const { dirname, isAbsolute, join } = require('node:path')

const [major, minor] = process.versions.node.split('.').map(Number)
const bundle = join(__dirname, '../dist/surehand.cjs')

if (major > 22 || (major === 22 && minor >= 18)) runHere()
else runWithOwnNode()

function runHere() {
  // what was compiled once needs not be compiled again
  const code = codeFolder()
  if (code !== undefined) nodeModule.enableCompileCache?.(code)
  if (existsSync(bundle)) require('./load-bundle.cjs').loadBundle(bundle, code)
  else import('../src/surehand.ts')
}

/** A folder of the user's own, since what lies in it is run: where anybody else could write, and for root in another's home, there is none. */
function codeFolder() {
  const { XDG_CACHE_HOME, HOME } = process.env
  const caches = XDG_CACHE_HOME || (HOME ? join(HOME, '.cache') : '')
  if (!isAbsolute(caches)) return undefined
  const folder = join(caches, 'surehand', 'code')
  try {
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = lstatSync(folder)
    const isOurs =
      process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0)
    return isOurs && found.isDirectory() ? folder : undefined
  } catch {
    return undefined
  }
}

function runWithOwnNode() {
  const { spawn } = require('node:child_process')
  const node = ownNode()
  if (node === undefined) {
    console.error(`surehand needs Node 22.18 or newer; this is Node ${process.versions.node}.
On Linux (x64, arm64) "npm ci" brings Node 24 along. Elsewhere, install Node 24: https://nodejs.org`)
    process.exit(78)
  }
  const child = spawn(node, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' })
  // a terminal sends Ctrl-C to both: the child decides what it means; what is sent to us alone is handed on
  process.on('SIGINT', () => undefined)
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`${node} can not be started: ${error.message}`)
    process.exit(78)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/** The Node that came with the packages, in the nearest node_modules that has it. */
function ownNode() {
  const name = `node-${process.platform}-${process.arch}`
  for (let folder = __dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name, 'bin/node')
    if (existsSync(candidate)) return candidate
    if (folder === dirname(folder)) return undefined
  }
}
