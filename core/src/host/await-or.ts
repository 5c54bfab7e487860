import type { Outcome } from '../call/outcome.ts'

/**
 * What is waited for, or what is known already: whoever stops waiting has stopped nothing that a worker does,
 * and a store that does not answer for a moment must not make a model believe that nothing was done.
 */
export async function awaitOrKnown(
  known: Outcome,
  wait: () => Promise<Outcome | undefined>,
): Promise<Outcome> {
  try {
    return (await wait()) ?? known
  } catch {
    return known
  }
}
