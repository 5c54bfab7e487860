#!/usr/bin/env node
// Plain JavaScript that an old Node can read: it finds a Node that can run the rest. Not a module: Node starts those 2 ms later.

const { existsSync } = require('node:fs')
const nodeModule = require('node:module')
const { dirname, join } = require('node:path')

const [major, minor] = process.versions.node.split('.').map(Number)
const bundle = join(__dirname, '../dist/surehand.cjs')

if (major > 22 || (major === 22 && minor >= 18)) runHere()
else runWithOwnNode()

function runHere() {
  const { XDG_CACHE_HOME, HOME } = process.env
  const caches = XDG_CACHE_HOME || (HOME ? join(HOME, '.cache') : undefined)
  // what was compiled once needs not be compiled again; in the user's own folder, since others may write to /tmp
  const code = caches === undefined ? undefined : join(caches, 'surehand', 'code')
  if (code !== undefined) nodeModule.enableCompileCache?.(code)
  if (existsSync(bundle)) require('./load-bundle.cjs').loadBundle(bundle, code)
  else import('../src/surehand.ts')
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
