// Plain JavaScript, run as it is. In a clone of the repository the bundle is made when it is missing
// or older than the sources: from the sources a command takes seconds to start.
const { existsSync, readdirSync, statSync } = require('node:fs')
const { join } = require('node:path')

const ROOT = join(__dirname, '../../..')
const SCRIPT = join(ROOT, 'scripts/bundle.ts')
// What the bundle is made of; `package-lock.json` stands for the packages of others.
const SOURCES = [
  ...['core', 'libraries', 'stores', 'surfaces', 'sources', 'packs', 'bridge', 'testing'],
  ...['apps/server/src', 'apps/server/package.json', 'package-lock.json', 'scripts/bundle.ts'],
]
const NOT_BUNDLED = new Set(['node_modules', 'dist', 'testing', 'fixtures', 'documents', 'vendure'])

/**
 * Makes the bundle if it is missing or stale, and says whether it may be used. An installed package
 * has no sources, and its bundle is always right.
 */
exports.refreshBundle = (bundle) => {
  if (!existsSync(SCRIPT)) return true
  const made = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (made > 0 && !SOURCES.some((source) => isNewer(join(ROOT, source), made))) return true
  process.stderr.write('Bundling the command, because its sources have changed …\n')
  // Loaded only here: it takes every command milliseconds.
  const { spawnSync } = require('node:child_process')
  const { status } = spawnSync(process.execPath, [SCRIPT], { cwd: ROOT, stdio: 'ignore' })
  if (status !== 0)
    process.stderr.write(
      'The bundle cannot be made ("npm run bundle" says why): running the sources.\n',
    )
  return status === 0
}

// The time of a folder changes when a file in it is added, removed or renamed.
function isNewer(path, made) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return false
  if (!found.isDirectory()) return found.mtimeMs > made
  return (
    found.mtimeMs > made ||
    readdirSync(path, { withFileTypes: true }).some((entry) =>
      entry.isDirectory()
        ? !NOT_BUNDLED.has(entry.name) && isNewer(join(path, entry.name), made)
        : !/\.test(?:-d)?\.ts$|\.md$/.test(entry.name) && isNewer(join(path, entry.name), made),
    )
  )
}
