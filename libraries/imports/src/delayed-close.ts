import type { OpenedSource } from './source-kind.ts'

// Longer than a call of such a tool may take.
const GRACE_MS = 120_000

/** Closes retired sources after a grace period, so that calls in progress can finish. */
export function createDelayedClose(): {
  readonly add: (source: OpenedSource) => void
  readonly close: () => Promise<void>
} {
  const sources = new Map<OpenedSource, NodeJS.Timeout>()
  const end = async (source: OpenedSource): Promise<void> => {
    clearTimeout(sources.get(source))
    sources.delete(source)
    await source.close?.()
  }
  return {
    add(source) {
      if (source.close === undefined) return
      sources.set(
        source,
        setTimeout(() => void end(source).catch(() => undefined), GRACE_MS).unref(),
      )
    },
    close: async () => {
      await Promise.all([...sources.keys()].map(end))
    },
  }
}
