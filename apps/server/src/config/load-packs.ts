import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire, findPackageJSON } from 'node:module'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { definePack, type Pack } from '@surehand/core'
import { BUILT_IN_PACKS, type BuiltInPack, isNeededFor } from './built-in.ts'
import { ConfigError } from './config-error.ts'

/** A pack, the name of a package with one, or a path relative to the configuration. */
export type ListedPack = Pack | string

/** Where packs are searched, and the only tool they are needed for, if there is one. */
export type PackLocation = { readonly folder: string; readonly tool?: string | undefined }

/** The names of the built-in packs. */
export const BUILT_IN = Object.keys(BUILT_IN_PACKS)

/** Loads the packs of a configuration. */
export async function loadPacks(
  listed: readonly ListedPack[],
  { folder, tool }: PackLocation,
): Promise<readonly Pack[]> {
  // With a pack that is not built in, all packs are loaded completely: its tools may call any
  // other.
  const place = { folder, tool: listed.every(isBuiltIn) ? tool : undefined }
  const packs = await Promise.all(
    listed.map((one) =>
      typeof one === 'string' ? loadPack(one, place) : checkPack(one, 'a pack'),
    ),
  )
  const names = new Set<string>()
  for (const { name } of packs) {
    if (names.has(name))
      throw new ConfigError(`The pack "${name}" is listed twice. Remove one of the entries.`)
    names.add(name)
  }
  return packs
}

async function loadPack(listed: string, { folder, tool }: PackLocation): Promise<Pack> {
  const builtIn = isBuiltIn(listed) ? BUILT_IN_PACKS[listed] : undefined
  if (builtIn !== undefined)
    return isNeededFor(tool, listed) ? builtIn.load() : withoutTools(listed, builtIn)
  const file = isPath(listed) ? resolvePath(listed, folder) : resolvePackage(listed, folder)
  const module = await importPack(file, listed)
  return checkPack(module.default ?? module.pack, `"${listed}"`)
}

/** The pack without its tools: its grants still apply to the tools of other packs. */
function withoutTools(name: string, { grants }: BuiltInPack): Pack {
  return definePack({ name, tools: [], grants })
}

function isBuiltIn(listed: ListedPack): listed is string {
  return typeof listed === 'string' && Object.hasOwn(BUILT_IN_PACKS, listed)
}

function isPath(listed: string): boolean {
  return listed.startsWith('.') || isAbsolute(listed)
}

const ENTRIES = ['pack.ts', 'index.ts', 'pack.mjs', 'index.mjs', 'pack.js', 'index.js']

function resolvePath(listed: string, folder: string): string {
  const path = resolve(folder, listed)
  if (!existsSync(path))
    throw new ConfigError(
      `There is no pack at ${path}. The path "${listed}" is relative to the folder of the configuration.`,
    )
  if (!statSync(path).isDirectory()) return path
  const entry = ENTRIES.map((name) => join(path, name)).find(existsSync)
  if (entry === undefined)
    throw new ConfigError(
      `${path} contains none of ${ENTRIES.join(', ')}. Name the file of the pack itself.`,
    )
  return entry
}

function resolvePackage(listed: string, folder: string): string {
  const from = join(folder, 'surehand.config.js')
  try {
    return createRequire(from).resolve(listed)
  } catch (cause) {
    // A package that exports for `import` only.
    const entry = isUnexported(cause) ? importEntry(listed, from) : undefined
    if (entry !== undefined) return entry
    throw new ConfigError(
      `The package "${listed}" is not installed. Run "npm install ${listed}" in ${folder}.`,
      { cause },
    )
  }
}

function isUnexported(cause: unknown): boolean {
  return (cause as { readonly code?: string } | undefined)?.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED'
}

type Exports = string | { readonly [condition: string]: Exports } | undefined

function importEntry(listed: string, from: string): string | undefined {
  const file = findPackageJSON(listed, pathToFileURL(from))
  if (file === undefined) return undefined
  const { exports } = JSON.parse(readFileSync(file, 'utf8')) as { readonly exports?: Exports }
  const entry = typeof exports === 'object' && '.' in exports ? exports['.'] : exports
  const path = typeof entry === 'object' ? (entry.import ?? entry.default) : entry
  return typeof path === 'string' ? join(dirname(file), path) : undefined
}

type PackModule = { readonly default?: unknown; readonly pack?: unknown }

async function importPack(file: string, listed: string): Promise<PackModule> {
  try {
    return (await import(pathToFileURL(file).href)) as PackModule
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError(`The pack "${listed}" cannot be loaded: ${reason}`, { cause })
  }
}

// Checked by shape, not by class: two copies of core in one process must accept each other's packs.
function checkPack(value: unknown, what: string): Pack {
  const pack = value as Partial<Pack> | undefined
  if (typeof pack?.name === 'string' && Array.isArray(pack.tools) && pack.grants instanceof Map)
    return pack as Pack
  throw new ConfigError(
    `${what} is not a pack. Its module must contain "export default definePack({ name, tools })".`,
  )
}
