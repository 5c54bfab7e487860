import { type ChildProcess, fork, spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import type { Failpoint } from '../node/failpoint.ts'
import type { Ask, FromNode, NodeSetup, Told } from '../node/messages.ts'

/** Why no answer came: the node is gone, or says nothing. Either way the call may have happened. */
export type Silence = { readonly status: 'silent'; readonly why: 'dead' | 'late' }
export type Heard = Told | Silence

type Waiting = (heard: Heard) => void

/** A node as its clients see it: something to ask, until it is gone. */
export class NodeProcess {
  state: 'starting' | 'ready' | 'dead' = 'starting'
  isStandingStill = false
  /** Settles when it can be asked, with false when it died before. */
  readonly started: Promise<boolean>
  readonly ended: Promise<void>
  private readonly child: ChildProcess
  private readonly waiting = new Map<number, Waiting>()
  private lastId = 0
  private errors = ''

  constructor(setup: NodeSetup) {
    this.child = fork(setup.program, [JSON.stringify(setup)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // in a group of its own: Ctrl-C in the terminal stops the run, which still needs its nodes to settle
      detached: true,
      // by its environment: that is where the writer's thread looks too
      execPath: '/usr/bin/env',
      execArgv: [
        `NODE_COMPILE_CACHE=${join(dirname(setup.program), 'compiled')}`,
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
      } else this.settle(message.id, message.told)
    })
    this.ended = new Promise((resolve) => {
      this.child.once('exit', () => {
        this.state = 'dead'
        setStarted(false)
        for (const id of [...this.waiting.keys()])
          this.settle(id, { status: 'silent', why: 'dead' })
        resolve()
      })
    })
  }

  get isReady(): boolean {
    return this.state === 'ready' && !this.isStandingStill
  }

  /** What it wrote to its error output, for whoever wonders why it did not start. */
  get complaint(): string {
    return this.errors
  }

  /** Never throws: silence is an answer too. */
  ask(asked: Ask, withinMs: number): Promise<Heard> {
    if (this.state !== 'ready') return Promise.resolve({ status: 'silent', why: 'dead' })
    const id = ++this.lastId
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.settle(id, { status: 'silent', why: 'late' }), withinMs)
      this.waiting.set(id, (heard) => {
        clearTimeout(timer)
        resolve(heard)
      })
      this.child.send({ id, ...asked }, (error) => {
        if (error !== null) this.settle(id, { status: 'silent', why: 'dead' })
      })
    })
  }

  arm(failpoint: Failpoint | undefined): Promise<Heard> {
    return this.ask({ ask: 'arm', failpoint }, 2_000)
  }

  /** Lets it go in good order. */
  leave(): void {
    this.child.disconnect()
  }

  kill(): void {
    this.child.kill('SIGKILL')
  }

  /** Stops it where it is; somebody who outlives us wakes it. */
  standStill(forMs: number): void {
    const { pid } = this.child
    if (this.state !== 'ready' || pid === undefined) return
    spawn('sh', ['-c', `sleep ${forMs / 1_000}; kill -CONT ${pid}`], {
      stdio: 'ignore',
      detached: true,
    }).unref()
    this.child.kill('SIGSTOP')
    this.isStandingStill = true
    setTimeout(() => {
      this.isStandingStill = false
    }, forMs)
  }

  private settle(id: number, heard: Heard): void {
    const resolve = this.waiting.get(id)
    this.waiting.delete(id)
    resolve?.(heard)
  }
}
