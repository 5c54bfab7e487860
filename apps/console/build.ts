import { existsSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))

/** Builds the console into a folder: `index.html`, and scripts and styles under `assets`. */
export async function buildConsole(folder: string): Promise<void> {
  const made = `${folder}-${process.pid}`
  const { NODE_ENV } = process.env
  // Also where a test starts it: React's plugin would write what only React's development form has.
  process.env.NODE_ENV = 'production'
  try {
    await build({
      root: FOLDER,
      configFile: false,
      // Warnings are about modules that are then left out, and directives for servers.
      logLevel: 'error',
      mode: 'production',
      define: { 'process.env.NODE_ENV': JSON.stringify('production') },
      // Relative, because the console may be served under any path of a proxy.
      base: './',
      build: {
        outDir: made,
        emptyOutDir: true,
        // A picture inside a style would need `data:` in the policy of the page.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          // Our own modules have no side effects: an index file must not pull in what is not used.
          treeshake: { moduleSideEffects: (id) => (isOurLibrary(id) ? false : undefined) },
        },
      },
    })
    replaceFolder(folder, made)
  } finally {
    rmSync(made, { recursive: true, force: true })
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
}

// A server that reads meanwhile must not find half a console.
function replaceFolder(folder: string, by: string): void {
  const old = `${by}-old`
  try {
    if (existsSync(folder)) renameSync(folder, old)
    renameSync(by, folder)
  } catch (thrown) {
    // Another process has built the same at the same time, and was quicker.
    const { code = '' } = thrown as NodeJS.ErrnoException
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code)) throw thrown
  }
  rmSync(old, { recursive: true, force: true })
}

function isOurLibrary(id: string): boolean {
  return !id.startsWith(FOLDER) && !id.includes('/node_modules/')
}

// node apps/console/build.ts [FOLDER]
if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await buildConsole(process.argv[2] ?? fileURLToPath(new URL('./dist', import.meta.url)))
