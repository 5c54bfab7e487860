/** Whoever was asked pressed Ctrl-C or closed the line. */
export const CANCELLED = Symbol('left')
