import { spawn } from 'node:child_process'
import { resolve, sep } from 'node:path'
import { ERRORS, type Implementation, ToolError, type ToolErrorCode, type ToolImplementation } from '@surehand/core'
import { z } from 'zod'

export type ScriptOptions = {
  /** Scripts are named by a path inside it, and may read nothing outside it. */
  readonly folder: string
  readonly maxOutputBytes?: number
}

const MOST_OUTPUT = 1024 * 1024
const Told = z.union([
  z.object({ output: z.unknown() }),
  z.object({ error: z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()).optional() }) }),
])

/**
 * Runs `script_execution` tools, each call as a process of its own: no environment, no files outside its folder, no further processes,
 * JSON on standard input and output, killed when its time is up.
 * Node's permission model does not close the network: give scripts that must not reach it a network namespace.
 */
export function scriptImplementation(options: ScriptOptions): (named: ToolImplementation) => Implementation {
  const folder = resolve(options.folder)
  return (named) => {
    const path = resolve(folder, named.module)
    if (!path.startsWith(folder + sep))
      throw new ToolError('TOOL_CONFIGURATION_ERROR', `The script "${named.module}" is not inside the scripts' folder.`)
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
      return read(
        named,
        await run(named, { path, folder, message, signal: execution.signal, maxBytes: options.maxOutputBytes ?? MOST_OUTPUT }),
      )
    }
  }
}

type Run = {
  readonly path: string
  readonly folder: string
  readonly message: string
  readonly signal: AbortSignal
  readonly maxBytes: number
}

function run(named: ToolImplementation, { path, folder, message, signal, maxBytes }: Run): Promise<string> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, ['--permission', `--allow-fs-read=${folder}${sep}*`, '--no-warnings', path], {
      cwd: folder,
      env: {},
      stdio: ['pipe', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    })
    let output = ''
    let complaints = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.length > maxBytes) child.kill('SIGKILL')
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaints = (complaints + text).slice(-2_000)
    })
    child.on('error', (cause) =>
      failed(new ToolError('TOOL_DEPENDENCY_ERROR', `The script ${named.module} could not be run.`, { cause, effect: 'possible' })),
    )
    child.on('close', (code) => {
      if (output.length > maxBytes)
        return failed(
          new ToolError('TOOL_INVALID_OUTPUT', `The script ${named.module} said more than ${maxBytes} bytes.`, { effect: 'possible' }),
        )
      if (code === 0) return done(output)
      failed(
        new ToolError('TOOL_DEPENDENCY_ERROR', `The script ${named.module} ended with ${code ?? 'a signal'}.`, {
          details: { complaints: complaints.trim().split('\n').slice(-12) },
          effect: 'possible',
        }),
      )
    })
    // a script that ends without reading is judged by how it ends, not by the broken pipe
    child.stdin.on('error', () => undefined)
    child.stdin.end(message)
  })
}

function read(named: ToolImplementation, text: string): unknown {
  const told = Told.safeParse(parsed(text))
  if (!told.success)
    throw new ToolError('TOOL_INVALID_OUTPUT', `The script ${named.module} answered neither { output } nor { error }.`, {
      effect: 'possible',
    })
  if ('output' in told.data) return told.data.output
  const { code, message, details } = told.data.error
  const known: ToolErrorCode = Object.hasOwn(ERRORS, code) ? (code as ToolErrorCode) : 'TOOL_EXTERNAL_SERVICE_ERROR'
  throw new ToolError(known, message, { details: { ...details, ...(known === code ? {} : { source_code: code }) } })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // told as what it is by whoever asked
  }
}
