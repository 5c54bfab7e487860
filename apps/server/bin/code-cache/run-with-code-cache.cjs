// Plain JavaScript, run as it is. Loads the bundle with V8's compiled code of earlier runs, functions
// included. Node's own compile cache stores a module as it is before it runs; compiling each function
// at its first call is most of the start of a short command. See docs/performance/code-cache.md.
const { isAscii } = require('node:buffer')
const {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} = require('node:fs')
const nodeModule = require('node:module')
const { dirname, isAbsolute, join } = require('node:path')
const vm = require('node:vm')
const { crc32 } = require('node:zlib')

// An import() inside a script of `vm` prints an experimental warning; this one does not.
const importOutside = (specifier, options) => import(specifier, options)

/** Runs the bundle where there is one, else the sources; with compiled code from the cache unless it is switched off. */
exports.runWithCodeCache = (bundle, importSources) => {
  const cacheFolder = openCacheFolder()
  // Node's own compile cache serves the sources and packages outside the bundle.
  if (cacheFolder !== undefined) nodeModule.enableCompileCache?.(cacheFolder)
  return bundle !== undefined && existsSync(bundle)
    ? loadBundle(bundle, cacheFolder)
    : importSources()
}

function loadBundle(entry, cacheFolder) {
  const folder = dirname(entry)
  const loaded = new Map()
  const compiledNow = []
  let isCleanUpDue = false
  const outside = nodeModule.createRequire(entry)

  const load = (file) => {
    const known = loaded.get(file)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    loaded.set(file, module)
    const require = (name) => (name.startsWith('./') ? load(join(folder, name)) : outside(name))
    try {
      compile(file).call(
        module.exports,
        module.exports,
        Object.assign(require, outside),
        module,
        file,
        folder,
        importOutside,
      )
    } catch (thrown) {
      // A second import must fail in the same way, not return half a module.
      loaded.delete(file)
      throw thrown
    }
    return module.exports
  }

  const compile = (file) => {
    const source = readFileSync(file)
    const cacheFile = cacheFolder === undefined ? undefined : join(cacheFolder, cacheName(file))
    const cachedData = cacheFile === undefined ? undefined : readIfIntact(cacheFile, crc32(source))
    const script = new vm.Script(isAscii(source) ? source.latin1Slice() : source.utf8Slice(), {
      filename: file,
      ...(cachedData === undefined ? {} : { cachedData }),
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    })
    // V8 rejects code that was compiled by another version or with other flags.
    if (cacheFile !== undefined && (cachedData === undefined || script.cachedDataRejected))
      compiledNow.push({ cacheFile, script, sum: crc32(source) })
    else if (cacheFile !== undefined && isFirstUseToday(cacheFile)) isCleanUpDue = true
    return script.runInThisContext()
  }

  // Written at the end: the functions that this command has called are compiled by then.
  process.once('exit', () => {
    for (const { cacheFile, script, sum } of compiledNow)
      write(cacheFile, script.createCachedData(), sum)
    if (isCleanUpDue || compiledNow.length > 0)
      require('./remove-unused.cjs').removeUnused(cacheFolder)
  })
  return load(entry)
}

/**
 * The cache folder, or undefined: it is switched off, or another user could write to it. Its contents
 * are executed, so it must belong to the user who runs the command, also when that is root.
 */
function openCacheFolder() {
  const { SUREHAND_CODE_CACHE, XDG_CACHE_HOME, HOME } = process.env
  if (SUREHAND_CODE_CACHE === 'off') return undefined
  const caches = XDG_CACHE_HOME || (HOME ? join(HOME, '.cache') : '')
  if (!isAbsolute(caches)) return undefined
  const folder = join(caches, 'surehand', 'code')
  try {
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = lstatSync(folder)
    const isOwn =
      process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0)
    return isOwn && found.isDirectory() ? folder : undefined
  } catch {
    return undefined
  }
}

// Each command has a cache of its own, with the functions that it calls; all others share one.
const COMMANDS = new Set([
  'approvals',
  'audit',
  'call',
  'jobs',
  'list',
  'mcp',
  'pm',
  'questions',
  'search',
  'serve',
  'show',
])

function cacheName(file) {
  const command = COMMANDS.has(process.argv[2]) ? process.argv[2] : 'other'
  return join(
    `${process.version}-${process.arch}`,
    command,
    file.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(-120),
  )
}

const HEAD_BYTES = 8

// V8 checks only the length of the source and executes whatever the bytes contain: both the source and
// the data are compared with their checksums.
function readIfIntact(file, sourceSum) {
  try {
    const bytes = readFileSync(file)
    const data = bytes.subarray(HEAD_BYTES)
    return bytes.readUInt32LE(0) === sourceSum && bytes.readUInt32LE(4) === crc32(data)
      ? data
      : undefined
  } catch {
    return undefined
  }
}

const DAY_MS = 24 * 3_600_000

// Sets the file's time, so that it is not removed as unused.
function isFirstUseToday(file) {
  try {
    if (Date.now() - statSync(file).mtimeMs < DAY_MS) return false
    utimesSync(file, new Date(), new Date())
    return true
  } catch {
    return false
  }
}

// Written beside it and renamed: a command that starts meanwhile must not read half a file.
function write(file, data, sourceSum) {
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32LE(sourceSum, 0)
  head.writeUInt32LE(crc32(data), 4)
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(temporary, Buffer.concat([head, data]), { mode: 0o600 })
    renameSync(temporary, file)
  } catch {
    // Without the cache, the next start is slower, and nothing else.
    rmSync(temporary, { force: true })
  }
}
