const PLAIN_EVERY_MS = 5_000
const TERMINAL_EVERY_MS = 200

/** Shows the progress: one changing line on a terminal, otherwise a new line every few seconds. */
export function showProgress(line: () => string): () => void {
  const { stderr } = process
  const startedMs = performance.now()
  const write = (): void => {
    const text = `${((performance.now() - startedMs) / 1_000).toFixed(0).padStart(4)} s  ${line()}`
    stderr.write(stderr.isTTY ? `\r\u001b[2K${text}` : `${text}\n`)
  }
  const timer = setInterval(write, stderr.isTTY ? TERMINAL_EVERY_MS : PLAIN_EVERY_MS)
  return () => {
    clearInterval(timer)
    if (stderr.isTTY) stderr.write('\r\u001b[2K')
  }
}
