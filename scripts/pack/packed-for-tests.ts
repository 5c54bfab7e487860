import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import {
  aptPackages,
  CHROMIUM,
  debianPackage,
  findProgram,
  missingNeeds,
  NGINX,
  POSTGRES,
} from '../needs.ts'
import { startLocalRegistry } from './local-registry.ts'
import { PACKED } from './packed-folders.ts'

const run = promisify(execFile)

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a registry with our packages, as they would be published. */
    registry: string
    /** The registry that has all other packages. */
    upstream: string
  }
}

const apt = aptPackages()
const PROGRAMS = { buildah: 'buildah', debootstrap: 'debootstrap', 'systemd-analyze': 'systemd' }

/** Packs everything once, for all files of tests, and installs the programs that they use. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const needs = Object.entries(PROGRAMS).map(([program, name]) =>
    debianPackage(
      { what: program, isThere: () => findProgram([program]) !== undefined },
      name,
      apt,
    ),
  )
  // The tests of what is still missing fail; the others run.
  for (const { what } of await missingNeeds([CHROMIUM, NGINX, POSTGRES, ...needs]))
    console.log(`missing: ${what}`)
  // A process of its own: what packs is no module of the tests.
  await run(process.execPath, [join(import.meta.dirname, 'pack-all.ts')])
  const { stdout } = await run('npm', ['config', 'get', 'registry'])
  const upstream = stdout.trim()
  const registry = await startLocalRegistry({ ...PACKED, upstream })
  project.provide('registry', registry.url)
  project.provide('upstream', upstream)
  return () => registry.stop()
}
