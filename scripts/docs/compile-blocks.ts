import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type CodeBlock, ROOT } from './markdown.ts'

/**
 * What pages use without declaring it, because a reader has their own. A block that declares the
 * name itself uses its own.
 */
const STAND_INS = `
import type { Caller, Pack, Runtime, Stores, Tool } from '@surehand/core'
import type { Clock, ForeignSchemas } from '@surehand/core/ports'
declare global {
  const runtime: Runtime
  const caller: Caller
  const administrator: Caller
  const weather: Tool<{ city: string }, { celsius: number }>
  const tools: readonly Tool[]
  const packs: readonly Pack[]
  const bookingPack: Pack
  const stores: Stores
  const providers: Readonly<Record<string, object>>
  const clock: Clock
  const schemas: ForeignSchemas
  const signal: AbortSignal
}
`

/** Files of a reader that pages import. */
const MODULES = `
declare module '*/booking/pack.ts' {
  export const bookingPack: import('@surehand/core').Pack
}
declare module '*/booking/providers/google-calendar.ts' {
  export const googleCalendar: (options: { readonly key: string }) => object
}
`

/** A piece of TypeScript, and where a reader finds it. */
export type Piece = { readonly at: string; readonly code: string; readonly file?: string }

/**
 * A block as a whole module. Its hidden setup stands before it, or around it where it has a line
 * `BLOCK`; `file: PATH` in it says which file of the repository the block would be.
 */
export function pieceOf({ page, line, code, setup = '' }: CodeBlock): Piece {
  const at = `${page}:${line}`
  const file = /^file: (\S+)$/m.exec(setup)?.[1]
  const around = setup.replace(/^file: \S+$/m, '')
  const whole = /^BLOCK$/m.test(around)
    ? around.replace(/^BLOCK$/m, () => code)
    : `${around}\n${code}`
  return { at, code: `${whole}\nexport {}\n`, ...(file === undefined ? {} : { file }) }
}

/**
 * Compiles pieces with the settings of the repository, except that nothing has to be used, and says
 * what is wrong, each line with the page and the line of its block.
 */
export async function compilePieces(pieces: readonly Piece[]): Promise<string[]> {
  // In the repository, so that packages resolve as they do for its sources.
  const cache = join(ROOT, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'blocks-'))
  try {
    const places = new Map(
      pieces.map((piece, index) => [piece.file ?? `blocks/${index}.ts`, piece] as const),
    )
    for (const [file, { code }] of places) write(join(folder, file), code)
    write(join(folder, 'stand-ins.ts'), STAND_INS)
    write(join(folder, 'modules.d.ts'), MODULES)
    const compilerOptions = {
      ...{ noUnusedLocals: false, noUnusedParameters: false, lib: ['es2025', 'dom'] },
      // Whether declarations can be written is a question for the repository's own check.
      ...{ declaration: false },
      // A block that is a file of the repository imports its neighbours there.
      ...{ rootDirs: [ROOT, folder] },
    }
    const settings = { extends: join(ROOT, 'tsconfig.json'), compilerOptions }
    write(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ ...settings, include: ['**/*.ts'], exclude: [] }),
    )
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    const { stdout } = await promisify(execFile)(
      tsc,
      // One checker, as in the check of types: four take twice the CPU time.
      ['--noEmit', '--pretty', 'false', '--checkers', '1', '-p', '.'],
      {
        cwd: folder,
        maxBuffer: 1e8,
        // As there: garbage is collected less often.
        env: { GOGC: '400', ...process.env },
      },
    ).catch((failed: { readonly stdout: string }) => failed)
    return errorsOf(stdout, places)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The errors in pieces; those in the repository's own files are found by its own check, with its own
 * libraries.
 */
function errorsOf(output: string, places: ReadonlyMap<string, Piece>): string[] {
  // An indented line continues the one before.
  return output.split(/\n(?! )/).flatMap((error) => {
    const file = /^([^(]+)\(/.exec(error)?.[1] ?? ''
    const piece = places.get(file)
    if (piece !== undefined) return [error.replace(file, piece.at)]
    return /^(?:stand-ins|modules|error)/.test(error) ? [error] : []
  })
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
