import { execFileSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packAll } from './pack-all.ts'
import { PACKED } from './packed-folders.ts'

// npm run release [-- --dry-run]: new versions and changelogs from the notes in .changeset, then
// tarballs, then the registry. A dry run changes nothing, here or there.

const ROOT = join(import.meta.dirname, '../..')
const TOOLS = 'scripts/pack/tools'

function run(folder: string, program: string, ...parameters: string[]): void {
  execFileSync(program, parameters, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
}

/** Gives every package its next version, and writes the changelogs. */
function setVersions(folder: string): void {
  const notes = globSync('.changeset/*.md', { cwd: folder })
  if (notes.length === 0) console.log('There are no notes in .changeset: the versions stay.')
  else run(folder, join(ROOT, TOOLS, 'node_modules/.bin/changeset'), 'version')
  const { version } = JSON.parse(readFileSync(join(folder, 'core/package.json'), 'utf8'))
  console.log(`${notes.length} notes, version ${version}`)
}

/** In a copy: the versions and changelogs that a release would write are shown. */
function showVersions(): void {
  const copy = mkdtempSync(join(tmpdir(), 'surehand-release-'))
  try {
    run(ROOT, 'git', 'clone', '--quiet', '.', copy)
    cpSync(join(ROOT, '.changeset'), join(copy, '.changeset'), { recursive: true })
    symlinkSync(join(ROOT, TOOLS, 'node_modules'), join(copy, TOOLS, 'node_modules'))
    setVersions(copy)
    run(copy, 'git', 'diff', '--stat', '--', '**/package.json')
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' } } })
  const isDry = values['dry-run'] === true
  if (isDry) showVersions()
  else {
    setVersions(ROOT)
    run(ROOT, 'npm', 'run', '--silent', 'lock')
  }
  await packAll()
  // A package that the registry has in this version already fails here, and nothing after it is
  // published: run the command again after a new version.
  for (const file of readdirSync(PACKED.tarballs))
    run(
      PACKED.tarballs,
      'npm',
      ...['publish', `./${file}`, '--access', 'public', '--provenance', '--loglevel=error'],
      ...(isDry ? ['--dry-run'] : []),
    )
  console.log(
    isDry
      ? 'Dry run: nothing was changed or published.'
      : 'Published. Commit the versions, and tag them.',
  )
}

await main()
