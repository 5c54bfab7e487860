import { type ChildProcess, spawn } from 'node:child_process'
import { resolve, sep } from 'node:path'
import { ToolError, type ToolErrorCode } from '@surehand/core'
import { ERRORS } from '@surehand/core/host'
import type { Implementation, ToolImplementation } from '@surehand/core/internal'
import { z } from 'zod'
import { type ScriptUser, scriptUser } from './script-user.ts'
import { textCollector } from './whole-text.ts'

export type ScriptOptions = {
  /** Scripts are named by a path inside it, and may read nothing outside it. */
  readonly folder: string
  readonly maxOutputBytes?: number
}

const MOST_OUTPUT = 1024 * 1024
const Told = z.union([
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
 * Runs `script_execution` tools, each call as a process of its own: no environment, no files outside its folder, no further processes,
 * JSON on standard input and output, killed with its whole process group when its time is up.
 *
 * Shut: SIGUSR1, by which a script could open this process's inspector and read its memory, does nothing from here on (in a worker thread,
 * which can't catch signals, start Node with `--disable-sigusr1` instead).
 * Where this process is root on Linux, scripts run as nobody (65534), if nobody can read the folder; files in it must then be readable by all.
 *
 * Not shut: the network, which Node's permission model leaves open – give scripts that must not reach it a network namespace.
 * Where the user is not dropped, a script may send any signal, SIGKILL too, to this process and to all others of its user;
 * where it is, to other scripts. A script outlives this process if this is killed meanwhile. Run scripts you don't trust in a container.
 */
export function scriptImplementation(
  options: ScriptOptions,
): (named: ToolImplementation) => Implementation {
  ignoreInspectorSignal()
  const folder = resolve(options.folder)
  const user = scriptUser(folder)
  return (named) => {
    const path = resolve(folder, named.module)
    if (!path.startsWith(folder + sep))
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        `The script "${named.module}" is not inside the scripts' folder.`,
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
      const maxBytes = options.maxOutputBytes ?? MOST_OUTPUT
      return read(
        named,
        await run(named, { path, folder, user, message, signal: execution.signal, maxBytes }),
      )
    }
  }
}

type Run = {
  readonly path: string
  readonly folder: string
  readonly user: ScriptUser | undefined
  readonly message: string
  readonly signal: AbortSignal
  readonly maxBytes: number
}

function run(
  named: ToolImplementation,
  { path, folder, user, message, signal, maxBytes }: Run,
): Promise<string> {
  return new Promise((done, failed) => {
    if (signal.aborted) {
      failed(
        new ToolError('TOOL_CANCELLED', `The script ${named.module} was not begun.`, {
          effect: 'none',
          cause: signal.reason,
        }),
      )
      return
    }
    const child = spawn(
      process.execPath,
      ['--permission', `--allow-fs-read=${folder}${sep}*`, '--no-warnings', path],
      {
        ...user,
        cwd: folder,
        env: {},
        stdio: ['pipe', 'pipe', 'pipe'],
        // a session of its own, so that it is killed as a group and gets no signal of our terminal
        detached: true,
      },
    )
    const kill = () => killGroup(child)
    signal.addEventListener('abort', kill, { once: true })
    let output = ''
    const complaints = textCollector()
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.length > maxBytes) kill()
    })
    child.stderr.setEncoding('utf8').on('data', complaints.add)
    child.on('error', (cause) =>
      failed(
        new ToolError('TOOL_DEPENDENCY_ERROR', `The script ${named.module} could not be run.`, {
          cause,
          effect: 'possible',
        }),
      ),
    )
    child.on('close', (code) => {
      signal.removeEventListener('abort', kill)
      if (output.length > maxBytes)
        failed(
          new ToolError(
            'TOOL_INVALID_OUTPUT',
            `The script ${named.module} said more than ${maxBytes} bytes.`,
            { effect: 'possible' },
          ),
        )
      else if (code === 0) done(output)
      else failed(endedBadly(named, code, complaints.text()))
    })
    // a script that ends without reading is judged by how it ends, not by the broken pipe
    child.stdin.on('error', () => undefined)
    child.stdin.end(message)
  })
}

function endedBadly(named: ToolImplementation, code: number | null, complaints: string): ToolError {
  return new ToolError(
    'TOOL_DEPENDENCY_ERROR',
    `The script ${named.module} ended with ${code ?? 'a signal'}.`,
    {
      details: { complaints: complaints.trim().split('\n') },
      effect: 'possible',
    },
  )
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL') // no groups here, or it is gone
  }
}

const ignored = () => undefined

// while anybody listens, Node leaves its inspector shut
function ignoreInspectorSignal(): void {
  if (!process.listeners('SIGUSR1').includes(ignored)) process.on('SIGUSR1', ignored)
}

function read(named: ToolImplementation, text: string): unknown {
  const told = Told.safeParse(parsed(text))
  if (!told.success)
    throw new ToolError(
      'TOOL_INVALID_OUTPUT',
      `The script ${named.module} answered neither { output } nor { error }.`,
      {
        effect: 'possible',
      },
    )
  if ('output' in told.data) return told.data.output
  const { code, message, details } = told.data.error
  const known: ToolErrorCode = Object.hasOwn(ERRORS, code)
    ? (code as ToolErrorCode)
    : 'TOOL_EXTERNAL_SERVICE_ERROR'
  throw new ToolError(known, message, {
    details: { ...details, ...(known === code ? {} : { source_code: code }) },
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // told as what it is by whoever asked
  }
}
