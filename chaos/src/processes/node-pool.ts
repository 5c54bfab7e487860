import { setTimeout as pause } from 'node:timers/promises'
import type { NodeSetup } from '../node/messages.ts'
import type { Random } from '../random.ts'
import { NodeProcess } from './node-process.ts'

const RESTART_AFTER_MS = 50
// After starts that failed it waits twice as long each time: a server needs seconds to come back on
// a busy machine, and every start that fails keeps it busy.
const LONGEST_PAUSE_MS = 1_000
const MAX_FAILED_STARTS = 40

/**
 * Several nodes on one store. A node that dies is restarted after a moment, until the pool closes.
 */
export class NodePool {
  private readonly slots: NodeProcess[]
  private isClosing = false
  private failedStarts = 0
  private earlierMs = 0
  private readonly setup: NodeSetup
  private readonly random: Random

  constructor(size: number, setup: NodeSetup, random: Random) {
    this.setup = setup
    this.random = random
    this.slots = Array.from({ length: size }, (_, slot) => this.start(slot))
  }

  get ready(): readonly NodeProcess[] {
    return this.slots.filter((node) => node.isReady)
  }

  get all(): readonly NodeProcess[] {
    return this.slots
  }

  /** How long the nodes have been able to run, on average; see `NodeProcess.ranForMs`. */
  get ranForMs(): number {
    const nowMs = this.slots.reduce((sum, node) => sum + node.ranForMs, 0)
    return (this.earlierMs + nowMs) / this.slots.length
  }

  /**
   * Returns a node that accepts requests, and waits for one if necessary. Paused nodes count: a
   * client cannot see that they are paused.
   */
  async pickNode(except?: NodeProcess): Promise<NodeProcess> {
    for (;;) {
      const up = this.slots.filter((node) => node.state === 'ready')
      const others = up.filter((node) => node !== except)
      const [first, ...rest] = others.length > 0 ? others : up
      if (first !== undefined) return this.random.pick([first, ...rest])
      if (this.failedStarts >= MAX_FAILED_STARTS)
        throw new Error(`No node starts: ${this.slots[0]?.errorOutput}`)
      await pause(20)
    }
  }

  async waitUntilAllReady(): Promise<void> {
    while (this.ready.length < this.slots.length) {
      if (this.failedStarts >= MAX_FAILED_STARTS)
        throw new Error(`No node starts: ${this.slots[0]?.errorOutput}`)
      await pause(20)
    }
  }

  async close(): Promise<void> {
    this.isClosing = true
    for (const node of this.slots) node.kill()
    await Promise.all(this.slots.map((node) => node.exited))
  }

  private start(slot: number): NodeProcess {
    const node = new NodeProcess(this.setup)
    // While the database server restarts, a few starts fail; with a bug of ours, all of them do.
    void node.started.then((isStarted) => {
      this.failedStarts = isStarted ? 0 : this.failedStarts + 1
    })
    void node.exited.then(async () => {
      await pause(Math.min(RESTART_AFTER_MS * 2 ** this.failedStarts, LONGEST_PAUSE_MS))
      if (this.isClosing) return
      this.earlierMs += node.ranForMs
      this.slots[slot] = this.start(slot)
    })
    return node
  }
}
