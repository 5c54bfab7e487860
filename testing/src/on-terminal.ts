import { spawn } from 'node:child_process'

/** What is typed once something is seen. */
export type Step = { readonly see: string | RegExp; readonly type: string }
export type Seen = { readonly code: number | null; readonly screen: string }

export type TerminalOptions = {
  /** Typed before the program starts. */
  readonly ahead?: string
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

const COLUMNS = 100
const ROWS = 40

/** Runs a program in a real pseudo-terminal (util-linux `script`), typing when something is seen. */
export function onTerminal(
  words: readonly string[],
  steps: readonly Step[],
  { ahead = '', cwd, env }: TerminalOptions = {},
): Promise<Seen> {
  const program = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  // One line is read before the program starts, so that what was written together with it is there.
  const command = `stty cols ${COLUMNS} rows ${ROWS}; ${ahead === '' ? '' : 'read -r; '}exec ${program}`
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    cwd,
    env: { ...process.env, TERM: 'xterm', SHELL: '/bin/bash', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (ahead !== '') child.stdin.write(`\n${ahead}`)
  const left = [...steps]
  let screen = ''
  let from = 0
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (piece: string) => {
    screen += piece
    for (
      let next = left[0];
      next !== undefined && isSeen(screen.slice(from), next.see);
      next = left[0]
    ) {
      from = screen.length
      left.shift()
      child.stdin.write(next.type)
    }
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (left.length > 0)
        reject(new Error(`Never seen: ${left[0]?.see}. On the screen:\n${screen}`))
      else resolve({ code, screen })
    })
  })
}

function isSeen(screen: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? screen.includes(wanted) : wanted.test(screen)
}
