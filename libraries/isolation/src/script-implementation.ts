import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { resolve as resolvePath, sep } from 'node:path'
import { ToolError, type ToolErrorCode } from '@surehand/core'
import { ERRORS } from '@surehand/core/host'
import type { Implementation, ToolImplementation } from '@surehand/documents'
import { z } from 'zod'
import { createTextCollector } from './omit-long-text.ts'

/** The Node binary that scripts run with, and the account where it is not this process's own. */
type ScriptAccount = {
  readonly node: string
  readonly uid?: number
  readonly gid?: number
}

const SAME: ScriptAccount = { node: process.execPath }
// The account that Linux calls "nobody": it owns no files and may signal no process of another
// account.
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 }

// The second path reaches the running binary where its folder is closed to other accounts, as in a
// checkout below /root.
const NODE_PATHS = [process.execPath, '/proc/self/exe']

/**
 * Chooses the account that scripts run with. Throws where it has to be another account than this
 * process's and that is not possible: a script that runs as root without being noticed could read
 * and end everything on the machine.
 */
function chooseScriptAccount(
  folder: string,
  wanted: 'separate' | 'same' | undefined,
): ScriptAccount {
  const canSwitch = process.platform === 'linux' && process.getuid?.() === 0
  if (wanted === 'same' || (wanted === undefined && !canSwitch)) return SAME
  if (!canSwitch) throw noSeparateAccount('only a process that runs as root on Linux can switch')
  const node = NODE_PATHS.find((path) => canRunScripts(path, folder))
  if (node === undefined) throw noSeparateAccount(`that account cannot read ${folder}`)
  return { node, ...UNPRIVILEGED }
}

/**
 * Tried instead of computed, because modes, access lists, capabilities and user namespaces all have
 * an influence.
 */
function canRunScripts(node: string, folder: string): boolean {
  const { status } = spawnSync(node, ['-e', "require('node:fs').readdirSync('.')"], {
    ...UNPRIVILEGED,
    cwd: folder,
    env: {},
    stdio: 'ignore',
  })
  return status === 0
}

function noSeparateAccount(why: string): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `Scripts cannot run with an account of their own (uid ${UNPRIVILEGED.uid}): ${why}.`,
    {
      suggestions: [
        'Put the scripts into a folder that all accounts may read, or run the server as an unprivileged account.',
        "To run them with the server's own account, set scriptImplementation({ account: 'same' }).",
      ],
    },
  )
}

export type ScriptOptions = {
  /** Scripts are named by a path inside this folder, and may read nothing outside it. */
  readonly folder: string
  readonly maxOutputBytes?: number
  /**
   * A script whose objects need more memory is ended. Buffers and native memory do not count: bound
   * those with a container. Default: 256.
   */
  readonly maxMemoryMb?: number
  /**
   * The account that scripts run with: one of their own (uid 65534), or the server's. The default
   * is `separate` where the server runs as root on Linux, which alone can switch, and `same`
   * elsewhere.
   */
  readonly account?: 'separate' | 'same'
}

const MAX_OUTPUT_BYTES = 1024 * 1024
const MAX_MEMORY_MB = 256
const ScriptAnswer = z.union([
  z.object({ output: z.unknown() }),
  z.object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
])

/**
 * Runs `script_execution` tools. Each call is a process of its own, with no environment, no files
 * outside its folder and no further processes. It reads and writes JSON on standard input and
 * output, may use so much memory, and is killed with its process group when its time is up.
 *
 * Prevented: SIGUSR1, with which a script could open this process's inspector and read its memory,
 * is ignored from now on. (A worker thread cannot catch signals: start Node with
 * `--disable-sigusr1` there.) Where this process is root on Linux, scripts run with an account of
 * their own; if that account cannot read the folder, this function throws.
 *
 * Not prevented: network access, which Node's permission model leaves open. Give scripts that must
 * not have it a network namespace. With the server's own account a script may send any signal, also
 * SIGKILL, to this process and all others of that account; with an account of its own, to other
 * scripts. A script continues to run if this process is killed. Run scripts you do not trust in a
 * container.
 */
export function scriptImplementation(
  options: ScriptOptions,
): (named: ToolImplementation) => Implementation {
  ignoreInspectorSignal()
  const folder = resolvePath(options.folder)
  const account = chooseScriptAccount(folder, options.account)
  return (named) => {
    const path = resolvePath(folder, named.module)
    if (!path.startsWith(folder + sep))
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        `The script "${named.module}" is not inside the scripts folder.`,
      )
    return async (input, execution) => {
      const { caller, callId, idempotencyKey } = execution
      const message = JSON.stringify({
        function: named.function,
        input,
        call_id: callId,
        idempotency_key: idempotencyKey,
        tenant: caller.tenant,
        principal: caller.principal,
      })
      const { maxOutputBytes: maxBytes = MAX_OUTPUT_BYTES, maxMemoryMb = MAX_MEMORY_MB } = options
      return readAnswer(
        named,
        await runScript(named, {
          path,
          folder,
          account,
          message,
          signal: execution.signal,
          maxBytes,
          maxMemoryMb,
        }),
      )
    }
  }
}

type ScriptRun = {
  readonly path: string
  readonly folder: string
  readonly account: ScriptAccount
  readonly message: string
  readonly signal: AbortSignal
  readonly maxBytes: number
  readonly maxMemoryMb: number
}

function runScript(
  named: ToolImplementation,
  { path, folder, account: { node, ...user }, message, signal, maxBytes, maxMemoryMb }: ScriptRun,
): Promise<string> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(
        new ToolError(
          'TOOL_CANCELLED',
          `The call was cancelled before the script ${named.module} was started.`,
          {
            effect: 'none',
            cause: signal.reason,
          },
        ),
      )
      return
    }
    const child = spawn(
      node,
      [
        '--permission',
        `--allow-fs-read=${folder}${sep}*`,
        `--max-old-space-size=${maxMemoryMb}`,
        '--no-warnings',
        path,
      ],
      {
        ...user,
        cwd: folder,
        env: {},
        stdio: ['pipe', 'pipe', 'pipe'],
        // In a session of its own, so that it can be killed as a group and receives no signals of
        // the terminal.
        detached: true,
      },
    )
    const kill = () => killGroup(child)
    signal.addEventListener('abort', kill, { once: true })
    let output = ''
    const errorOutput = createTextCollector()
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.length > maxBytes) kill()
    })
    child.stderr.setEncoding('utf8').on('data', errorOutput.add)
    child.on('error', (cause) =>
      reject(
        new ToolError('TOOL_DEPENDENCY_ERROR', `The script ${named.module} could not be run.`, {
          cause,
          effect: 'possible',
        }),
      ),
    )
    child.on('close', (code) => {
      signal.removeEventListener('abort', kill)
      if (output.length > maxBytes)
        reject(
          new ToolError(
            'TOOL_INVALID_OUTPUT',
            `The script ${named.module} wrote more than ${maxBytes} bytes.`,
            { effect: 'possible' },
          ),
        )
      else if (code === 0) resolve(output)
      else reject(scriptFailed(named, code, errorOutput.text()))
    })
    // A script that ends without reading its input is judged by its exit code, not by the broken
    // pipe.
    child.stdin.on('error', () => undefined)
    child.stdin.end(message)
  })
}

function scriptFailed(
  named: ToolImplementation,
  code: number | null,
  errorOutput: string,
): ToolError {
  return new ToolError(
    'TOOL_DEPENDENCY_ERROR',
    `The script ${named.module} ended with ${code === null ? 'a signal' : `exit code ${code}`}.`,
    {
      details: { complaints: errorOutput.trim().split('\n') },
      effect: 'possible',
    },
  )
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL') // This system has no process groups, or the group has ended.
  }
}

const ignore = () => undefined

// Node opens its inspector on SIGUSR1 unless a listener is registered.
function ignoreInspectorSignal(): void {
  if (!process.listeners('SIGUSR1').includes(ignore)) process.on('SIGUSR1', ignore)
}

function readAnswer(named: ToolImplementation, text: string): unknown {
  const answer = ScriptAnswer.safeParse(tryToParseJson(text))
  if (!answer.success)
    throw new ToolError(
      'TOOL_INVALID_OUTPUT',
      `The script ${named.module} answered neither { output } nor { error }.`,
      {
        effect: 'possible',
      },
    )
  if ('output' in answer.data) return answer.data.output
  const { code, message, details } = answer.data.error
  const known: ToolErrorCode = Object.hasOwn(ERRORS, code)
    ? (code as ToolErrorCode)
    : 'TOOL_EXTERNAL_SERVICE_ERROR'
  throw new ToolError(known, message, {
    details: { ...details, ...(known === code ? {} : { source_code: code }) },
  })
}

function tryToParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // `readAnswer` reports it.
  }
}
