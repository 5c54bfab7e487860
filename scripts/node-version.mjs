// Plain JavaScript on purpose: an old Node cannot run the .ts scripts. Every npm script runs this
// first. It links the Node that they use to where npm scripts and npx look first; where the
// machine's own is too old, Node 24 is installed into scripts/node (Linux only).
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const link = join(here, '../node_modules/.bin/node')

function installNode() {
  const folder = join(here, 'node')
  const program = join(folder, 'node_modules', `node-linux-${process.arch}`, 'bin/node')
  if (existsSync(program)) return program
  console.log(
    `This is Node ${process.versions.node}, which cannot run TypeScript: installing Node 24 into scripts/node`,
  )
  execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund', '--prefix', folder], {
    stdio: 'inherit',
  })
  return program
}

function linkNode(program) {
  mkdirSync(dirname(link), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(program, link)
}

const canRunTypeScript = Boolean(process.features.typescript)
const isKnown = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
try {
  if (!canRunTypeScript && isKnown) linkNode(installNode())
  else if (canRunTypeScript && process.platform !== 'win32' && !existsSync(link))
    linkNode(process.execPath)
} catch (thrown) {
  console.error(`Node could not be installed or linked: ${thrown.message}`)
}
if (!canRunTypeScript && !existsSync(link)) {
  console.error(`Surehand needs Node 22.18 or newer to run its TypeScript; this is Node ${process.versions.node}.
Install Node 24, then run the command again.`)
  process.exit(1)
}
