import type { Work } from './work.ts'

export function parseJson(): Work {
  return {
    takes: 'text',
    create(text) {
      JSON.parse(text)
      return { tools: 0 }
    },
  }
}

/** Measures the start of Node and of the child process that every contender runs in. */
export function doNothing(): Work {
  return { takes: 'file', create: () => ({ tools: 0 }) }
}
