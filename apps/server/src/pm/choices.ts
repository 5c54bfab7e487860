import { UsageError } from '@surehand/cli'

const PIECE = /^(\d+)(?:-(\d+))?$/

/**
 * Parses "1,3,5", "2-4" or "1 3" to the chosen numbers, sorted and without duplicates. Throws when
 * one is not on the list.
 */
export function parseChoices(text: string, most: number): readonly number[] {
  const pieces = text.split(/[\s,]+/).filter((piece) => piece !== '')
  const chosen = pieces.flatMap((piece) => parseRange(piece, most))
  return [...new Set(chosen)].sort((one, other) => one - other)
}

function parseRange(piece: string, most: number): readonly number[] {
  const [, from, to = from] = PIECE.exec(piece) ?? []
  const [first, last] = [Number(from), Number(to)]
  if (from === undefined || first < 1 || last > most || first > last)
    throw new UsageError(
      `"${piece}" is not on the list, which goes from 1 to ${most}.`,
      'surehand pm done 1,3 or 2-4',
    )
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** Whether the text consists of numbers of a list, and is not a name. */
export function isNumberList(text: string): boolean {
  return (
    text.split(/[\s,]+/).every((piece) => piece === '' || PIECE.test(piece)) && text.trim() !== ''
  )
}
