import { setTimeout as pause } from 'node:timers/promises'
import type { NodeSetup } from '../node/messages.ts'
import type { Random } from '../random.ts'
import { NodeProcess } from './node-process.ts'

const RESTART_AFTER_MS = 50
const FUTILE_STARTS = 40

/** Some nodes over one store. Whichever dies is started again after a moment, until the pool closes. */
export class NodePool {
  private readonly slots: NodeProcess[]
  private isClosing = false
  private futile = 0
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

  /** Any node that can be asked; waits for one. Standing still is no reason: a client can't see that. */
  async any(except?: NodeProcess): Promise<NodeProcess> {
    for (;;) {
      const up = this.slots.filter((node) => node.state === 'ready')
      const others = up.filter((node) => node !== except)
      const [first, ...rest] = others.length > 0 ? others : up
      if (first !== undefined) return this.random.pick([first, ...rest])
      if (this.futile >= FUTILE_STARTS)
        throw new Error(`No node starts any more: ${this.slots[0]?.complaint}`)
      await pause(20)
    }
  }

  async allReady(): Promise<void> {
    while (this.ready.length < this.slots.length) {
      if (this.futile >= FUTILE_STARTS)
        throw new Error(`No node starts any more: ${this.slots[0]?.complaint}`)
      await pause(20)
    }
  }

  async close(): Promise<void> {
    this.isClosing = true
    for (const node of this.slots) node.kill()
    await Promise.all(this.slots.map((node) => node.ended))
  }

  private start(slot: number): NodeProcess {
    const node = new NodeProcess(this.setup)
    // a server that is down for a moment makes a few starts futile, a mistake of ours all of them
    void node.started.then((isStarted) => {
      this.futile = isStarted ? 0 : this.futile + 1
    })
    void node.ended.then(async () => {
      await pause(RESTART_AFTER_MS)
      if (!this.isClosing) this.slots[slot] = this.start(slot)
    })
    return node
  }
}
