// Plain JavaScript, as it is run. Loads the bundle with what V8 has compiled of it in earlier runs, functions included:
// Node's own compile cache keeps a module as it is before it runs, and compiling each function when it is first called
// is most of what a short command would take.
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { dirname, join } = require('node:path')
const vm = require('node:vm')

const WRAPPER = ['(function (exports, require, module, __filename, __dirname, importOutside) { ', '\n})']

// in here: what is imported by a script of `vm` goes a way that Node still calls experimental, and says so on the terminal
const importOutside = (specifier, options) => import(specifier, options)

/** Runs the bundle's entry. `caches` is a folder of the user's own: what lies in it is run as it is. */
exports.loadBundle = (entry, caches) => {
  const folder = dirname(entry)
  const loaded = new Map()
  const fresh = []

  const load = (file) => {
    const known = loaded.get(file)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    loaded.set(file, module)
    const outside = createRequire(file)
    const require = (name) => (name.startsWith('./') ? load(join(folder, name)) : outside(name))
    compiled(file).call(module.exports, module.exports, Object.assign(require, outside), module, file, folder, importOutside)
    return module.exports
  }

  const compiled = (file) => {
    const keptAt = caches === undefined ? undefined : join(caches, keptName(file))
    const cachedData = keptAt === undefined ? undefined : readIfThere(keptAt)
    const script = new vm.Script(WRAPPER.join(readFileSync(file, 'utf8')), {
      filename: file,
      ...(cachedData === undefined ? {} : { cachedData }),
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    })
    // made by another version, or with other flags
    if (keptAt !== undefined && (cachedData === undefined || script.cachedDataRejected)) fresh.push({ keptAt, script })
    return script.runInThisContext()
  }

  // at the end: what this command has called is then compiled
  process.once('exit', () => {
    for (const { keptAt, script } of fresh) keep(keptAt, script.createCachedData())
  })
  return load(entry)
}

// V8 looks at a source's length alone; a bundle that was made anew has another time
function keptName(file) {
  const { size, mtimeMs } = statSync(file)
  const command = /^[a-z][a-z-]{0,19}$/.test(process.argv[2] ?? '') ? process.argv[2] : 'other'
  const place = file.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(-120)
  return join(`${process.version}-${process.arch}`, command, `${place}-${size}-${Math.trunc(mtimeMs)}`)
}

function readIfThere(file) {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

// beside it first: another command that starts meanwhile must not read half of it
function keep(file, data) {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const beside = `${file}.${process.pid}`
    writeFileSync(beside, data, { mode: 0o600 })
    renameSync(beside, file)
  } catch {
    // without it the next start is slower, and nothing else
  }
}
