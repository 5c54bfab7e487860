import type { StraightHead, StraightWay } from '@surehand/edge'
import type { Surface } from './options.ts'
import { answerCall, calledTool } from './serve-call.ts'
import { straightVisit } from './visit.ts'

/** Plain calls without Node's server in between. */
export function straightCalls(surface: Surface): StraightWay {
  return {
    takes: (head) => toolOf(head) !== undefined,
    answer(request) {
      const tool = toolOf(request)
      if (tool === undefined) return undefined
      const { leaving } = request
      return answerCall(tool, { visit: straightVisit(request, surface), leaving }, surface)
    },
    onTrouble: (thrown) => surface.onTrouble(thrown, 'unanswered'),
  }
}

// no other method comes this way
function toolOf({ path, headers }: Pick<StraightHead, 'path' | 'headers'>): string | undefined {
  return calledTool({ method: 'POST', url: path, headers })
}
