#!/usr/bin/env node
// Plain JavaScript that an old Node can read: it finds a Node that can run the rest.

// not imported where that can be helped: for an import Node makes much of its modules that nobody asks for
const nodeModule = process.getBuiltinModule?.('node:module') ?? (await import('node:module'))
const require = nodeModule.createRequire(import.meta.url)
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { fileURLToPath } = require('node:url')

const [major, minor] = process.versions.node.split('.').map(Number)
const bundle = fileURLToPath(new URL('../dist/surehand.cjs', import.meta.url))

if (major > 22 || (major === 22 && minor >= 18)) await runHere()
else await runWithOwnNode()

async function runHere() {
  const { XDG_CACHE_HOME, HOME } = process.env
  const caches = XDG_CACHE_HOME || (HOME ? join(HOME, '.cache') : undefined)
  // what was compiled once needs not be compiled again; in the user's own folder, since others may write to /tmp
  const code = caches === undefined ? undefined : join(caches, 'surehand', 'code')
  if (code !== undefined) nodeModule.enableCompileCache?.(code)
  if (existsSync(bundle)) require('./load-bundle.cjs').loadBundle(bundle, code)
  else await import(new URL('../src/surehand.ts', import.meta.url).href)
}

async function runWithOwnNode() {
  const { spawn } = await import('node:child_process')
  const node = ownNode()
  if (node === undefined) {
    console.error(`surehand needs Node 22.18 or newer; this is Node ${process.versions.node}.
On Linux (x64, arm64) "npm ci" brings Node 24 along. Elsewhere, install Node 24: https://nodejs.org`)
    process.exit(78)
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
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
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('..', folder)) {
    const candidate = new URL(`node_modules/${name}/bin/node`, folder)
    if (existsSync(candidate)) return fileURLToPath(candidate)
    if (folder.pathname === '/') return undefined
  }
}
