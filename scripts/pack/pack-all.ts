import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildScript } from '@surehand/bridge'
import { buildConsole } from '@surehand/console/build'
import { BROWSER_SCRIPTS, bundleCommand, isBesideBundle } from '../bundle.ts'
import { findProblems } from './find-problems.ts'
import { OUT, packedFolders } from './packed-folders.ts'
import type { Dependencies, Manifest } from './published-manifest.ts'
import { type Staging, stagePackage, type Workspace } from './stage-package.ts'

const ROOT = join(import.meta.dirname, '../..')
const COMMAND = 'surehand'

/** The packages that are published, with the manifests of this clone of the repository. */
export function publicWorkspaces(clone = ROOT): Workspace[] {
  const readManifest = (folder: string): Manifest =>
    JSON.parse(readFileSync(join(clone, folder, 'package.json'), 'utf8'))
  const { workspaces } = readManifest('') as Manifest & { readonly workspaces: readonly string[] }
  return globSync(
    workspaces.map((pattern) => `${pattern}/package.json`),
    { cwd: clone },
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

type Packing = {
  /** The folder for everything that is made; what is in it is removed. */
  readonly out: string
  /** The clone whose manifests and changelogs are packed; the sources are always these here. */
  readonly clone: string
  /** The address that the packages name. The registry refuses a proof of another repository. */
  readonly repository?: string
}

async function stage(
  workspaces: readonly Workspace[],
  { out, clone, repository }: Packing,
): Promise<void> {
  const browserScripts = await Promise.all(
    BROWSER_SCRIPTS.map(async (script) => ({
      ...script,
      text: await buildScript(pathToFileURL(join(ROOT, script.source))),
    })),
  )
  for (const workspace of workspaces) {
    const target = join(packedFolders(out).packages, posix.basename(workspace.manifest.name))
    const isCommand = workspace.manifest.name === COMMAND
    if (isCommand) {
      const { dist } = await bundleCommand(target)
      await buildConsole(join(dist, 'console'))
    }
    const staging: Staging = {
      root: ROOT,
      build: buildFolder(out),
      changelogs: clone,
      target,
      browserScripts,
      ...(repository === undefined ? {} : { repository }),
      ...(isCommand ? { bundled: besideBundle(workspaces) } : {}),
    }
    stagePackage(workspace, staging)
  }
}

const buildFolder = (out: string): string => join(out, 'build')

/** Builds every public package and packs it into a tarball. */
export async function packAll(packing: Packing = { out: OUT, clone: ROOT }): Promise<void> {
  const { out, clone } = packing
  const { packages, tarballs } = packedFolders(out)
  rmSync(out, { recursive: true, force: true })
  mkdirSync(tarballs, { recursive: true })
  // `tsc` writes errors to stdout; npm writes the names of the files there.
  const run = (stdout: 'inherit' | 'ignore', program: string, ...parameters: string[]): void => {
    execFileSync(program, parameters, { cwd: ROOT, stdio: ['ignore', stdout, 'inherit'] })
  }
  run('inherit', 'npx', 'tsc', '-p', 'tsconfig.pack.json', '--outDir', buildFolder(out))
  await stage(publicWorkspaces(clone), packing)
  const folders = readdirSync(packages).map((name) => join(packages, name))
  const problems = folders.flatMap(findProblems)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  run('ignore', 'npm', 'pack', '--loglevel=error', '--pack-destination', tarballs, ...folders)
  const sizes = readdirSync(tarballs).map((name) => statSync(join(tarballs, name)).size)
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6
  console.log(
    `${sizes.length} tarballs, ${megabytes.toFixed(1)} MB, in ${relative(ROOT, tarballs)}`,
  )
}

if (import.meta.main) await packAll()
