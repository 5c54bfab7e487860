// What stores and the command line stand on, without schemas and stages: threads and commands start
// often, and load no more than they need.

export { changeText } from './call/approval.ts'
export { hasLeaseExpired } from './call/call-row.ts'
export { canonicalJson, hashJson, isRecord, sha256 } from './call/canonical.ts'
export { errorRow } from './call/errors.ts'
export { isToolError, suggestionsOf, ToolError, toToolError } from './call/tool-error.ts'
export { once } from './define/once.ts'
export { defineTransaction } from './define/transaction.ts'
export { requesterText, visibleText } from './define/visible.ts'
export { findTraps } from './host/find-traps.ts'
export { addFigures, figuresOf } from './ports/call-figures.ts'
