import { readFileSync, writeFileSync } from 'node:fs'

// A registry that mirrors only some platforms leaves the optional packages of the others out of the
// lockfile, and `npm ci` then refuses it everywhere. This adds them by name and version; npm
// fetches only its own platform's.

type Entry = {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}
type Lock = { packages: Record<string, Entry> }

const OPERATING_SYSTEMS = [
  'android',
  'darwin',
  'win32',
  'freebsd',
  'openbsd',
  'netbsd',
  'openharmony',
  'sunos',
  'aix',
  'linux',
]
const PROCESSORS = [
  'arm64',
  'x64',
  'ia32',
  'arm',
  'ppc64',
  's390x',
  'riscv64',
  'loong64',
  'mips64el',
  'wasm32',
]

/** The lock with an entry for every optional package that a package in it names. */
export function completeLock(lock: Lock): Lock {
  const added: Record<string, Entry> = {}
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (!path.startsWith('node_modules/')) continue
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const own = `node_modules/${name}`
      const target = platformOf(name)
      if (lock.packages[own] !== undefined || target === undefined || !/^\d/.test(version)) continue
      added[own] = { version, ...target, ...(entry.dev ? { dev: true } : {}), optional: true }
    }
  }
  const packages = Object.fromEntries(
    Object.entries({ ...lock.packages, ...added }).sort(([left], [right]) =>
      left < right ? -1 : 1,
    ),
  )
  return { ...lock, packages }
}

function platformOf(name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> | undefined {
  const words = name.split(/[/-]/)
  const os = OPERATING_SYSTEMS.find((system) => words.includes(system))
  const cpu = PROCESSORS.find((processor) => words.includes(processor))
  if (cpu === 'wasm32') return { cpu: ['wasm32'] }
  if (os === undefined || cpu === undefined) return undefined
  const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : undefined
  return { os: [os], cpu: [cpu], ...(libc === undefined ? {} : { libc }) }
}

if (import.meta.main) {
  const file = process.argv[2] ?? 'package-lock.json'
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Lock
  const complete = completeLock(lock)
  writeFileSync(file, `${JSON.stringify(complete, null, 2)}\n`)
  console.log(
    `${file}: ${Object.keys(complete.packages).length - Object.keys(lock.packages).length} optional packages of other platforms written in`,
  )
}
