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
import { packAll, publicWorkspaces } from './pack-all.ts'
import { OUT, packedFolders, tarballOf } from './packed-folders.ts'
import { orderByDependencies } from './publish-order.ts'
import type { Manifest } from './published-manifest.ts'

// npm run release [-- --dry-run]: new versions and changelogs from the notes in .changeset, then
// tarballs, then the registry. A dry run does the same in a copy, changes nothing here, and
// publishes nothing.

const ROOT = join(import.meta.dirname, '../..')
const TOOLS = 'scripts/pack/tools'
const NOTES = '.changeset'

function run(folder: string, program: string, ...parameters: string[]): void {
  execFileSync(program, parameters, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
}

/** Gives every package of a clone its next version, and writes the changelogs. */
function setVersions(clone: string): void {
  const { version: before } = readPackage(clone, 'core')
  const notes = globSync(`${NOTES}/*.md`, { cwd: clone })
  if (notes.length > 0) run(clone, join(ROOT, TOOLS, 'node_modules/.bin/changeset'), 'version')
  else console.log(`There are no notes in ${NOTES}: the versions stay.`)
  const { version } = readPackage(clone, 'core')
  console.log(`Notes: ${notes.length}. Version: ${before} → ${version}`)
  const changelogs = publicWorkspaces(clone).flatMap(({ folder }) =>
    globSync(`${folder}/CHANGELOG.md`, { cwd: clone }),
  )
  for (const file of changelogs) showChanges(file, readFileSync(join(clone, file), 'utf8'))
}

function readPackage(clone: string, folder: string): { readonly version: string } {
  return JSON.parse(readFileSync(join(clone, folder, 'package.json'), 'utf8'))
}

/** Prints the newest section of a changelog; a new version of our other packages is no news. */
function showChanges(file: string, text: string): void {
  const [, newest = ''] = text.split(/^## /m)
  const [own = ''] = newest.split(/^(?:### Patch Changes\n\n)?- Updated dependencies/m)
  if (own.trim().includes('\n')) console.log(`${file}\n${own.trim().replaceAll(/^/gm, '  ')}`)
}

/** Publishes the tarballs one by one, with a statement of where they were built. */
function publishAll(out: string, further: readonly string[]): void {
  const { packages, tarballs } = packedFolders(out)
  const manifests = readdirSync(packages).map(
    (folder): Manifest => JSON.parse(readFileSync(join(packages, folder, 'package.json'), 'utf8')),
  )
  // A package that the registry has in this version already fails here, and nothing after it is
  // published: run the command again after a new version.
  for (const manifest of orderByDependencies(manifests))
    run(
      tarballs,
      'npm',
      ...['publish', `./${tarballOf(manifest)}`, '--access', 'public', '--provenance'],
      ...['--loglevel=error', ...further],
    )
}

/** The last commit with the notes as they are here, also those that are not committed yet. */
async function rehearse(repository: string): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'surehand-release-'))
  try {
    const clone = join(copy, 'repository')
    run(ROOT, 'git', 'clone', '--quiet', '--shared', '.', clone)
    cpSync(join(ROOT, NOTES), join(clone, NOTES), { recursive: true })
    symlinkSync(join(ROOT, TOOLS, 'node_modules'), join(clone, TOOLS, 'node_modules'))
    setVersions(clone)
    const out = join(copy, 'packed')
    await packAll({ out, clone, repository })
    publishAll(out, ['--dry-run'])
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
  console.log('Dry run: nothing was changed or published.')
}

async function release(repository: string): Promise<void> {
  setVersions(ROOT)
  run(ROOT, 'npm', 'run', '--silent', 'lock')
  await packAll({ out: OUT, clone: ROOT, repository })
  publishAll(OUT, [])
  console.log('Published. Commit the versions, and tag them.')
}

/** The address of the repository whose job this is; undefined outside of CI. */
function repositoryOf(environment: NodeJS.ProcessEnv): string | undefined {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, CI_PROJECT_URL } = environment
  return GITHUB_REPOSITORY === undefined
    ? CI_PROJECT_URL
    : `${GITHUB_SERVER_URL ?? 'https://github.com'}/${GITHUB_REPOSITORY}`
}

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' } } })
const repository = repositoryOf(process.env)
if (values['dry-run'] === true) await rehearse(repository ?? 'https://example.com/not-in-ci')
else if (repository !== undefined) await release(repository)
else {
  // npm finds this out at the first package only, after the versions were written.
  console.error(
    'Nothing was changed or published: npm proves where a package was built in GitHub Actions (with "id-token: write") and in GitLab CI only. Run the release there, or see what it would do with "npm run release -- --dry-run".',
  )
  process.exitCode = 1
}
