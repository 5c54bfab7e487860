#!/usr/bin/env node
// Plain JavaScript that an old Node can read: it finds a Node that can run the rest. CommonJS, because
// Node starts a module 2 ms later.

const { existsSync } = require('node:fs')
const { dirname, join } = require('node:path')

const [major, minor] = process.versions.node.split('.').map(Number)
const bundle = join(__dirname, '../dist/surehand.cjs')

if (major > 22 || (major === 22 && minor >= 18))
  require('./code-cache/run-with-code-cache.cjs').runWithCodeCache(
    require('./refresh-bundle.cjs').refreshBundle(bundle) ? bundle : undefined,
    () => import('../src/surehand.ts'),
  )
else runWithOwnNode()

function runWithOwnNode() {
  const { spawn } = require('node:child_process')
  const node = ownNode()
  if (node === undefined) {
    console.error(`surehand needs Node 22.18 or newer; this is Node ${process.versions.node}.
Install Node 24: https://nodejs.org. In a clone on Linux (x64, arm64), "npm start" installs it.`)
    process.exit(78)
  }
  const child = spawn(node, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal sends Ctrl-C to both processes: the child decides. Other signals are passed on to it.
  process.on('SIGINT', () => undefined)
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`${node} cannot be started: ${error.message}`)
    process.exit(78)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/** A Node that is installed as a package, or the one that the npm scripts of a clone have installed. */
function ownNode() {
  const name = `node-${process.platform}-${process.arch}`
  for (let folder = __dirname; ; folder = dirname(folder)) {
    for (const place of ['', 'scripts/node-version/node24']) {
      const candidate = join(folder, place, 'node_modules', name, 'bin/node')
      if (existsSync(candidate)) return candidate
    }
    if (folder === dirname(folder)) return undefined
  }
}
