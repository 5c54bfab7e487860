import { z } from 'zod'

const STRING_OR_ESCAPE = /\\.|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g

// closed strings, whole escapes, and none of `{ } ; <` outside them: those belong to style sheets
// and markup
const SELECTOR = /^(?!\s*$)(?:[^"'\\{};<]|\\.|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')+$/

export const CssSelector = z
  .string()
  .max(1000, { abort: true })
  .regex(SELECTOR, {
    error: 'Write one CSS selector with its quotes closed, without { } ; or <.',
    abort: true,
  })
  .refine(isComplete, {
    error:
      'This selector is not complete: close its brackets, and begin and end it with something to select.',
  })
  .meta({
    title: 'CSS selector',
    description:
      'A CSS selector as querySelector takes it, at most 1000 characters. Prefer ids, data attributes and landmarks to long chains.',
    examples: ['#add-to-cart', '[data-action="checkout"]', 'main > form:not(.hidden)'],
  })

function isComplete(selector: string): boolean {
  const bare = selector.replace(STRING_OR_ESCAPE, 'x').trim()
  return !/^[,>+~]/.test(bare) && !/[,>+~]$/.test(bare) && isBalanced(bare)
}

function isBalanced(text: string): boolean {
  const expected: string[] = []
  for (const character of text) {
    if (character === '(') expected.push(')')
    if (character === '[') expected.push(']')
    if ((character === ')' || character === ']') && expected.pop() !== character) return false
  }
  return expected.length === 0
}
