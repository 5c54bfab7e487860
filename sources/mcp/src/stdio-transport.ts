import { type ChildProcess, spawn } from 'node:child_process'
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  SdkError,
  SdkErrorCode,
  type Transport,
} from '@modelcontextprotocol/client'
import { ToolError } from '@surehand/core'
import { type Clock, sleep } from '@surehand/core/ports'
import type { MountLimits } from './limits.ts'
import { TOO_LARGE } from './to-tool-error.ts'

export type ChildForm = {
  readonly command: string
  readonly args: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  readonly cwd: string | undefined
}

// A line this many times longer than allowed ends the process.
const ENDLESS = 8
const WINDOW_MS = 10_000
// Time to read what a child wrote before it exited.
const DRAIN_MS = 500
// JSON-RPC libraries write the id at the beginning or end of a message.
const ID =
  /^\s*\{(?:"jsonrpc":\s*"2\.0",\s*)?"id":\s*(\d+)|"id":\s*(\d+)(?:,\s*"jsonrpc":\s*"2\.0")?\s*\}\s*$/
const isGroupLeader = process.platform !== 'win32'

/**
 * A server as a child process in its own process group. Unlike the SDK's transport it passes no
 * environment variables on by itself, bounds unexpected output, and kills grandchildren. The SDK
 * recognizes by `stderr` and `pid` that it is not HTTP.
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: <T extends JSONRPCMessage>(message: T) => void
  readonly stderr = null
  pid: number | null = null
  skippedLines = 0
  /** Why the child process ended. */
  ending: string | undefined
  private readonly form: ChildForm
  private readonly limits: MountLimits
  private readonly clock: Clock
  private readonly lines: LineReader
  private readonly errors: TextTail
  private child: ChildProcess | undefined
  private isOver = false
  private readonly over = Promise.withResolvers<void>()
  private noiseBytes = 0
  private unasked = { since: 0, count: 0 }

  constructor(form: ChildForm, limits: MountLimits, clock: Clock) {
    this.form = form
    this.limits = limits
    this.clock = clock
    this.lines = new LineReader(limits.messageBytes)
    this.errors = new TextTail(limits.stderrBytes)
  }

  /** The end of its output on stderr. */
  lastWords(): string {
    return this.errors.text()
  }

  start(): Promise<void> {
    const { command, args, variables, cwd } = this.form
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        env: variables,
        cwd,
        stdio: 'pipe',
        shell: false,
        detached: isGroupLeader,
        windowsHide: true,
      })
      this.child = child
      this.pid = child.pid ?? null
      child.once('spawn', resolve)
      child.once('error', (error) => {
        this.finish(
          `it could not be started (${'code' in error ? String(error.code) : error.name})`,
        )
        reject(
          new ToolError(
            'TOOL_CONFIGURATION_ERROR',
            `The command of the server could not be started.`,
            { effect: 'none', cause: error },
          ),
        )
      })
      child.once('exit', (code, signal) => {
        this.ending ??=
          signal === null
            ? `its process ended with code ${code}`
            : `its process was ended by ${signal}`
        this.clock.after(DRAIN_MS, () => this.finish('its process ended'))
      })
      child.once('close', () => this.finish('its process ended'))
      child.stdin.on('error', (error) => this.onerror?.(error))
      child.stderr.on('data', (chunk: Buffer) => this.errors.add(chunk))
      child.stdout.on('data', (chunk: Buffer) => this.read(chunk))
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.child?.stdin
    if (this.isOver || !stdin?.writable)
      throw new SdkError(SdkErrorCode.NotConnected, 'Not connected')
    if (stdin.writableLength > this.limits.messageBytes)
      throw new ToolError(
        'TOOL_RESOURCE_UNAVAILABLE',
        'The server does not read what it is sent.',
        { effect: 'none' },
      )
    if (!stdin.write(`${JSON.stringify(message)}\n`))
      await Promise.race([
        new Promise((resolve) => stdin.once('drain', resolve)),
        this.over.promise,
      ])
  }

  async close(): Promise<void> {
    if (this.isOver) return
    this.ending ??= 'it was closed'
    this.child?.stdin?.end()
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await Promise.race([this.over.promise, sleep(this.clock, this.limits.graceMs)])
      if (this.isOver) return
      this.kill(signal)
    }
    await this.over.promise
  }

  /** Kills the process at once, because it violated a limit. */
  private fail(reason: string): void {
    this.ending ??= reason
    this.kill('SIGKILL')
    this.finish(reason)
  }

  private finish(reason: string): void {
    if (this.isOver) return
    this.isOver = true
    this.ending ??= reason
    // Kills processes that it started and left behind.
    this.kill('SIGKILL')
    this.child?.stdout?.destroy()
    this.child?.stderr?.destroy()
    this.over.resolve()
    this.onclose?.()
  }

  private kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this
    if (pid === null) return
    try {
      process.kill(isGroupLeader ? -pid : pid, signal)
    } catch (error) {
      // The process group is empty.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH'))
        this.onerror?.(new Error(`${signal} failed`, { cause: error }))
    }
  }

  private read(chunk: Buffer): void {
    for (const line of this.lines.read(chunk)) {
      if (this.isOver) return
      this.take(line)
    }
    if (this.lines.openBytes > ENDLESS * this.limits.messageBytes)
      this.fail('it sent a line without an end')
  }

  private take(line: Line): void {
    const message =
      line.kind === 'long' ? tooLarge(line, this.limits.messageBytes) : parseMessage(line.text)
    if (message === undefined) this.skip(line)
    else if ('method' in message && this.isTooTalkative())
      this.fail('it sent too many unsolicited messages')
    else this.hand(message)
  }

  private hand(message: JSONRPCMessage): void {
    this.noiseBytes = 0
    this.onmessage?.(message)
  }

  private skip({ bytes }: Line): void {
    this.skippedLines++
    this.noiseBytes += bytes + 1
    if (this.noiseBytes > this.limits.noiseBytes)
      this.fail('it flooded its stdout with output that is not the protocol')
  }

  private isTooTalkative(): boolean {
    const now = this.clock.now()
    if (now - this.unasked.since > WINDOW_MS) this.unasked = { since: now, count: 0 }
    this.unasked.count++
    return this.unasked.count > this.limits.unaskedMessages
  }
}

function parseMessage(text: string): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(JSON.parse(text))
  } catch {
    return undefined // a line of a log, or of nothing: it is counted
  }
}

// Replaces the answer by an error, so that only this call fails.
function tooLarge(
  { head, tail, bytes }: Extract<Line, { kind: 'long' }>,
  allowed: number,
): JSONRPCMessage | undefined {
  const match = ID.exec(head) ?? ID.exec(tail)
  const id = match?.[1] ?? match?.[2]
  if (id === undefined) return undefined
  return {
    jsonrpc: '2.0',
    id: Number(id),
    error: { code: TOO_LARGE, message: `${bytes} bytes, of at most ${allowed}` },
  }
}

/** The last bytes of a stream. */
class TextTail {
  private readonly maxBytes: number
  private kept = Buffer.alloc(0)

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  add(chunk: Buffer): void {
    const together = Buffer.concat([this.kept, chunk.subarray(-this.maxBytes)])
    this.kept = Buffer.from(together.subarray(-this.maxBytes))
  }

  text(): string {
    return this.kept.toString('utf8')
  }
}

/** A line of a stream, or both ends of a line that was too long. */
type Line =
  | { readonly kind: 'line'; readonly text: string; readonly bytes: number }
  | { readonly kind: 'long'; readonly head: string; readonly tail: string; readonly bytes: number }

const NEWLINE = 10
// Enough to find the id of an answer, which is at one of its ends.
const END_BYTES = 512

/** Splits a stream into lines and never buffers more than one line of the allowed length. */
export class LineReader {
  private readonly maxBytes: number
  private pieces: Buffer[] = []
  private head = Buffer.alloc(0)
  private length = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** Bytes of the current, unfinished line. */
  get openBytes(): number {
    return this.length
  }

  *read(chunk: Buffer): Generator<Line> {
    let rest = chunk
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      this.take(rest.subarray(0, end))
      rest = rest.subarray(end + 1)
      yield this.finish()
    }
    if (rest.length > 0) this.take(rest)
  }

  private take(piece: Buffer): void {
    if (this.head.length < END_BYTES)
      this.head = Buffer.concat([this.head, piece.subarray(0, END_BYTES - this.head.length)])
    this.length += piece.length
    this.pieces.push(piece)
    // Of a line that is too long only the end is kept.
    if (this.length > this.maxBytes)
      this.pieces = [Buffer.from(Buffer.concat(this.pieces.slice(-END_BYTES)).subarray(-END_BYTES))]
  }

  private finish(): Line {
    const whole = Buffer.concat(this.pieces)
    const bytes = this.length
    const line: Line =
      bytes > this.maxBytes
        ? {
            kind: 'long',
            head: this.head.toString('utf8'),
            tail: whole.subarray(-END_BYTES).toString('utf8'),
            bytes,
          }
        : { kind: 'line', text: whole.toString('utf8'), bytes }
    this.pieces = []
    this.head = Buffer.alloc(0)
    this.length = 0
    return line
  }
}
