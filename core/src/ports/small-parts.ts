// One for the process, as its event loop is.
let untilMs = Number.NEGATIVE_INFINITY

/**
 * For so long, work that fills the event loop is done in smaller parts than pay best: a client that
 * asks for little is there, and waits for as long as a part takes.
 */
export function askForSmallParts(forMs: number): void {
  untilMs = performance.now() + forMs
}

export function areSmallPartsWanted(): boolean {
  return performance.now() < untilMs
}
