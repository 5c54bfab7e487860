import type { Work } from './work.ts'

export function parseJson(): Work {
  return {
    takes: 'text',
    make(text) {
      JSON.parse(text)
      return { tools: 0 }
    },
  }
}

/** Node's own start, with the child that everybody runs in. */
export function doNothing(): Work {
  return { takes: 'file', make: () => ({ tools: 0 }) }
}
