import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildScript } from '@surehand/bridge'
import { buildConsole } from '@surehand/console/build'
import { BROWSER_SCRIPTS, bundleCommand, isBesideBundle } from '../bundle.ts'
import { findProblems } from './find-problems.ts'
import { OUT, PACKED } from './packed-folders.ts'
import type { Dependencies, Manifest } from './published-manifest.ts'
import { type Staging, stagePackage, type Workspace } from './stage-package.ts'

const ROOT = join(import.meta.dirname, '../..')
const BUILD = join(OUT, 'build')
const { packages: STAGE, tarballs: TARBALLS } = PACKED
const COMMAND = 'surehand'

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
}

/** The packages that are published. */
export function publicWorkspaces(): Workspace[] {
  const { workspaces } = readManifest('') as Manifest & { readonly workspaces: readonly string[] }
  return globSync(
    workspaces.map((pattern) => `${pattern}/package.json`),
    { cwd: ROOT },
  )
    .map((file) => dirname(file))
    .map((folder) => ({ folder, manifest: readManifest(folder) }))
    .filter(({ manifest }) => manifest.private !== true)
}

/** The packages that the bundled command needs beside itself. */
function besideBundle(workspaces: readonly Workspace[]): NonNullable<Staging['bundled']> {
  const all = (kind: 'dependencies' | 'optionalDependencies'): Dependencies =>
    Object.fromEntries(
      workspaces
        .flatMap(({ manifest }) => Object.entries(manifest[kind] ?? {}))
        .filter(([name]) => isBesideBundle(name)),
    )
  return { dependencies: all('dependencies'), optionalDependencies: all('optionalDependencies') }
}

async function stage(workspaces: readonly Workspace[]): Promise<void> {
  const browserScripts = await Promise.all(
    BROWSER_SCRIPTS.map(async (script) => ({
      ...script,
      text: await buildScript(pathToFileURL(join(ROOT, script.source))),
    })),
  )
  for (const workspace of workspaces) {
    const target = join(STAGE, posix.basename(workspace.manifest.name))
    const isCommand = workspace.manifest.name === COMMAND
    if (isCommand) {
      const { dist } = await bundleCommand(target)
      await buildConsole(join(dist, 'console'))
    }
    const staging: Staging = {
      root: ROOT,
      build: BUILD,
      target,
      browserScripts,
      ...(isCommand ? { bundled: besideBundle(workspaces) } : {}),
    }
    stagePackage(workspace, staging)
  }
}

/** Builds every public package and packs it into a tarball. */
export async function packAll(): Promise<void> {
  rmSync(OUT, { recursive: true, force: true })
  mkdirSync(TARBALLS, { recursive: true })
  const run = (program: string, ...parameters: string[]): void => {
    // Only what goes wrong is worth reading.
    execFileSync(program, parameters, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
  }
  run('npx', 'tsc', '-p', 'tsconfig.pack.json', '--outDir', BUILD)
  const workspaces = publicWorkspaces()
  await stage(workspaces)
  const folders = readdirSync(STAGE).map((name) => join(STAGE, name))
  const problems = folders.flatMap(findProblems)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  run('npm', 'pack', '--loglevel=error', '--silent', '--pack-destination', TARBALLS, ...folders)
  const sizes = readdirSync(TARBALLS).map((name) => statSync(join(TARBALLS, name)).size)
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6
  console.log(`${sizes.length} tarballs in .packed/tarballs, ${megabytes.toFixed(1)} MB`)
}

if (import.meta.main) await packAll()
