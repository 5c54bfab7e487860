import { type ChildProcess, fork, spawn } from 'node:child_process'
import type { Failpoint } from '../node/failpoint.ts'
import {
  type FromNode,
  type NodeReply,
  type NodeRequest,
  type NodeSetup,
  TICK_MS,
} from '../node/messages.ts'
import { compileCache } from './build-programs.ts'

/**
 * Why there is no reply: the node has exited or did not answer in time. In both cases the call may
 * have happened.
 */
export type NoReply = { readonly status: 'no-reply'; readonly reason: 'exited' | 'timeout' }
export type Reply = NodeReply | NoReply

type Waiting = (reply: Reply) => void

/** A node process as its clients see it. */
export class NodeProcess {
  state: 'starting' | 'ready' | 'dead' = 'starting'
  isPaused = false
  /** Resolves with true when the node accepts requests, and with false when it died before. */
  readonly started: Promise<boolean>
  readonly exited: Promise<void>
  /** The items whose calls have stopped at their failpoint. */
  readonly reached = new Set<string>()
  private readonly child: ChildProcess
  private readonly waiting = new Map<number, Waiting>()
  private lastId = 0
  private ticks = 0
  private readonly onTick = new Set<() => void>()
  private errors = ''

  constructor(setup: NodeSetup) {
    this.child = fork(setup.program, [JSON.stringify(setup)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // In a process group of its own: Ctrl-C in the terminal stops the scenario, which still needs
      // its nodes to settle.
      detached: true,
      // Set through the environment, because the writer's thread reads the cache's location there
      // too.
      execPath: '/usr/bin/env',
      execArgv: [
        `NODE_COMPILE_CACHE=${compileCache(setup.program)}`,
        ...Object.entries(setup.env ?? {}).map(([name, value]) => `${name}=${value}`),
        process.execPath,
        '--disable-warning=ExperimentalWarning',
      ],
    })
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.errors = `${this.errors}${text}`.slice(-4_000)
    })
    const { promise: started, resolve: setStarted } = Promise.withResolvers<boolean>()
    this.started = started
    this.child.on('message', (message: FromNode) => {
      if ('ready' in message) {
        this.state = 'ready'
        setStarted(true)
      } else if ('tick' in message) {
        this.ticks++
        for (const run of this.onTick) run()
      } else if ('reached' in message) this.reached.add(message.reached)
      else this.settle(message.id, message.reply)
    })
    this.exited = new Promise((resolve) => {
      this.child.once('exit', () => {
        this.state = 'dead'
        setStarted(false)
        for (const id of [...this.waiting.keys()])
          this.settle(id, { status: 'no-reply', reason: 'exited' })
        resolve()
      })
    })
  }

  /**
   * How long the node has been able to run. Time in which a busy machine gave it no turn does not
   * count, so that a limit in this time means the same on every machine.
   */
  get ranForMs(): number {
    return this.ticks * TICK_MS
  }

  /** Resolves when the node has exited, or has run for this long and is still there. */
  async runsFor(forMs: number): Promise<void> {
    const untilMs = this.ranForMs + forMs
    const { promise: hasRun, resolve } = Promise.withResolvers<void>()
    const check = (): void => {
      if (this.ranForMs >= untilMs) resolve()
    }
    this.onTick.add(check)
    await Promise.race([this.exited, hasRun])
    this.onTick.delete(check)
  }

  get isReady(): boolean {
    return this.state === 'ready' && !this.isPaused
  }

  /** The node's error output, to explain a failed start. */
  get errorOutput(): string {
    return this.errors
  }

  /** Never rejects: a missing reply is a result too. */
  send(request: NodeRequest, withinMs: number): Promise<Reply> {
    if (this.state !== 'ready') return Promise.resolve({ status: 'no-reply', reason: 'exited' })
    const id = ++this.lastId
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => this.settle(id, { status: 'no-reply', reason: 'timeout' }),
        withinMs,
      )
      this.waiting.set(id, (reply) => {
        clearTimeout(timer)
        resolve(reply)
      })
      this.child.send({ id, ...request }, (error) => {
        if (error !== null) this.settle(id, { status: 'no-reply', reason: 'exited' })
      })
    })
  }

  arm(failpoint: Failpoint | undefined): Promise<Reply> {
    return this.send({ type: 'arm', failpoint }, 2_000)
  }

  /** Lets the node close its stores and exit. */
  shutDown(): void {
    this.child.disconnect()
  }

  kill(): void {
    this.child.kill('SIGKILL')
  }

  /** Stops the process; a shell continues it, even if the harness has exited by then. */
  pauseFor(forMs: number): void {
    const { pid } = this.child
    if (this.state !== 'ready' || pid === undefined) return
    spawn('sh', ['-c', `sleep ${forMs / 1_000}; kill -CONT ${pid}`], {
      stdio: 'ignore',
      detached: true,
    }).unref()
    this.child.kill('SIGSTOP')
    this.isPaused = true
    setTimeout(() => {
      this.isPaused = false
    }, forMs)
  }

  private settle(id: number, reply: Reply): void {
    const resolve = this.waiting.get(id)
    this.waiting.delete(id)
    resolve?.(reply)
  }
}
