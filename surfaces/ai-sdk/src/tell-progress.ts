import type { Progress } from '@surehand/core/host'
import type { ToolProgress } from './reply.ts'

/** Tells what is heard of some work while it goes on, and last its answer. */
export async function* tellProgress<T>(
  work: (onProgress: (progress: Progress) => void) => Promise<T>,
): AsyncGenerator<ToolProgress | T> {
  const heard: Progress[] = []
  let wake = () => {}
  const answer = work((progress) => {
    heard.push(progress)
    wake()
  })
  let isOver = false
  const over = () => {
    isOver = true
    wake()
  }
  answer.then(over, over)
  while (!isOver || heard.length > 0) {
    const progress = heard.shift()
    if (progress !== undefined) yield { ...progress, status: 'running' }
    else
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
  yield await answer
}
