import { type Caller, ToolError } from '@surehand/core'
import type { ForeignCall, ForeignSource } from '@surehand/core/host'
import type { Clock } from '@surehand/core/ports'
import type { Mount } from './mount.ts'
import type { MountHealth } from './mount-health.ts'

/** The tenant and credential that a mount belongs to. A mount is never shared with another. */
export type MountOwner = { readonly tenant: string; readonly credential: string }

export type MountPoolOptions = {
  readonly mount: (owner: MountOwner) => Mount
  /** The reference of the caller's credential, not the credential itself. */
  readonly credentialOf: (caller: Caller) => string
  readonly clock: Clock
  /** How long an unused mount stays open. */
  readonly idleMs: number
  readonly max: number
}

export type MountPool = {
  readonly source: ForeignSource
  readonly mountOf: (owner: MountOwner) => Mount
  readonly health: () => readonly (MountOwner & { readonly mount: MountHealth })[]
  readonly close: () => Promise<void>
}

type Kept = {
  readonly owner: MountOwner
  readonly mount: Mount
  callsInFlight: number
  usedAt: number
  cancelIdle: () => void
}

/** One mount for each tenant and credential, closed when it has been idle for a while. */
export function mountPool(options: MountPoolOptions): MountPool {
  const kept = new Map<string, Kept>()
  let isClosed = false

  function keep(owner: MountOwner): Kept {
    if (isClosed)
      throw new ToolError('TOOL_RESOURCE_UNAVAILABLE', 'The servers are no longer mounted.', {
        effect: 'none',
      })
    const key = JSON.stringify([owner.tenant, owner.credential])
    const known = kept.get(key)
    if (known !== undefined) return known
    if (kept.size >= options.max) makeRoom()
    const fresh: Kept = {
      owner,
      mount: options.mount(owner),
      callsInFlight: 0,
      usedAt: options.clock.now(),
      cancelIdle: () => undefined,
    }
    kept.set(key, fresh)
    waitIdle(key, fresh)
    return fresh
  }

  function makeRoom(): void {
    const idle = [...kept]
      .filter(([, one]) => one.callsInFlight === 0)
      .sort(([, left], [, right]) => left.usedAt - right.usedAt)
    const [oldest] = idle
    if (oldest === undefined)
      throw new ToolError(
        'TOOL_RESOURCE_UNAVAILABLE',
        `All ${options.max} mounted servers are busy. Try again later.`,
        { effect: 'none' },
      )
    release(...oldest)
  }

  function release(key: string, one: Kept): void {
    kept.delete(key)
    one.cancelIdle()
    // Not awaited: no caller depends on it.
    void one.mount.close()
  }

  function waitIdle(key: string, one: Kept): void {
    const restMs = one.usedAt + options.idleMs - options.clock.now()
    one.cancelIdle = options.clock.after(restMs, () => {
      const isIdle = one.callsInFlight === 0 && one.usedAt + options.idleMs <= options.clock.now()
      if (isIdle) return release(key, one)
      if (one.callsInFlight > 0) one.usedAt = options.clock.now()
      waitIdle(key, one)
    })
  }

  const carry = (by: keyof ForeignSource) => async (call: ForeignCall, signal: AbortSignal) => {
    const one = keep({ tenant: call.caller.tenant, credential: options.credentialOf(call.caller) })
    one.callsInFlight++
    try {
      return await one.mount.source[by](call, signal)
    } finally {
      one.callsInFlight--
      one.usedAt = options.clock.now()
    }
  }

  return {
    source: { read: carry('read'), write: carry('write'), writeOnce: carry('writeOnce') },
    mountOf: (owner) => keep(owner).mount,
    health: () =>
      [...kept.values()].map(({ owner, mount }) => ({ ...owner, mount: mount.health() })),
    async close() {
      isClosed = true
      const all = [...kept.values()]
      kept.clear()
      for (const { cancelIdle } of all) cancelIdle()
      await Promise.all(all.map(({ mount }) => mount.close()))
    },
  }
}
