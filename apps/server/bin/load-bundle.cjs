// Plain JavaScript, as it is run. Loads the bundle with what V8 has compiled of it in earlier runs, functions included:
// Node's own compile cache keeps a module as it is before it runs, and compiling each function when it is first called
// is most of what a short command would take.
const { isAscii } = require('node:buffer')
const {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} = require('node:fs')
const { createRequire } = require('node:module')
const { dirname, join } = require('node:path')
const vm = require('node:vm')
const { crc32 } = require('node:zlib')

// in here: what is imported by a script of `vm` goes a way that Node still calls experimental, and says so on the terminal
const importOutside = (specifier, options) => import(specifier, options)

/** Runs the bundle's entry. `caches` is a folder of the user's own: what lies in it is run as it is. */
exports.loadBundle = (entry, caches) => {
  const folder = dirname(entry)
  const loaded = new Map()
  const fresh = []
  let isTidyDue = false
  const outside = createRequire(entry)

  const load = (file) => {
    const known = loaded.get(file)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    loaded.set(file, module)
    const require = (name) => (name.startsWith('./') ? load(join(folder, name)) : outside(name))
    try {
      compiled(file).call(
        module.exports,
        module.exports,
        Object.assign(require, outside),
        module,
        file,
        folder,
        importOutside,
      )
    } catch (thrown) {
      // whoever asks again is told the same, and not given half a module
      loaded.delete(file)
      throw thrown
    }
    return module.exports
  }

  const compiled = (file) => {
    const source = readFileSync(file)
    const keptAt = caches === undefined ? undefined : join(caches, keptName(file))
    const cachedData = keptAt === undefined ? undefined : readIfWhole(keptAt, crc32(source))
    const script = new vm.Script(isAscii(source) ? source.latin1Slice() : source.utf8Slice(), {
      filename: file,
      ...(cachedData === undefined ? {} : { cachedData }),
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    })
    // made by another version, or with other flags
    if (keptAt !== undefined && (cachedData === undefined || script.cachedDataRejected))
      fresh.push({ keptAt, script, sum: crc32(source) })
    else if (keptAt !== undefined && isFirstUseToday(keptAt)) isTidyDue = true
    return script.runInThisContext()
  }

  // at the end: what this command has called is then compiled
  process.once('exit', () => {
    for (const { keptAt, script, sum } of fresh) keep(keptAt, script.createCachedData(), sum)
    if (isTidyDue || fresh.length > 0) require('./tidy-code.cjs').tidyCode(caches)
  })
  return load(entry)
}

// each has what it calls: a word that is no command shares what is left
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

function keptName(file) {
  const command = COMMANDS.has(process.argv[2]) ? process.argv[2] : 'other'
  return join(
    `${process.version}-${process.arch}`,
    command,
    file.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(-120),
  )
}

const HEAD_BYTES = 8

// V8 looks at a source's length alone, and runs whatever stands in the bytes: both are held against their sums
function readIfWhole(file, sourceSum) {
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

// written down, so that nobody takes it for left behind
function isFirstUseToday(file) {
  try {
    if (Date.now() - statSync(file).mtimeMs < DAY_MS) return false
    utimesSync(file, new Date(), new Date())
    return true
  } catch {
    return false
  }
}

// beside it first: another command that starts meanwhile must not read half of it
function keep(file, data, sourceSum) {
  const beside = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32LE(sourceSum, 0)
  head.writeUInt32LE(crc32(data), 4)
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(beside, Buffer.concat([head, data]), { mode: 0o600 })
    renameSync(beside, file)
  } catch {
    // without it the next start is slower, and nothing else
    rmSync(beside, { force: true })
  }
}
