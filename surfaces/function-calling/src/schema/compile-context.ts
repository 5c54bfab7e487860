import { isRecord, type JsonSchema } from '@surehand/core/internal'
import type { Dialect } from './dialect.ts'
import type { Plan } from './plan.ts'

/**
 * A constraint that the dialect cannot express: it is added to the description, and the runtime
 * still checks it.
 */
export type Loss = { readonly path: string; readonly keyword: string; readonly why: string }

export type Compiled = { readonly schema: JsonSchema; readonly plan: Plan }

/** The state of one compilation. */
export type CompileContext = {
  /**
   * Compiles a part. Passed in to avoid import cycles, because every kind of node contains others.
   */
  readonly node: (raw: unknown, path: string, at: CompileContext) => Compiled
  /** The same for a normalized node. */
  readonly normal: (node: JsonSchema, path: string, at: CompileContext) => Compiled
  readonly dialect: Dialect
  readonly root: JsonSchema
  readonly names: ExtraNames
  readonly losses: Loss[]
  readonly definitions: Map<string, Definition>
  /** References that are being inlined, outermost first. */
  readonly open: readonly string[]
  readonly count: { nodes: number }
}

export type Definition = { readonly name: string; compiled: Compiled | undefined }

/**
 * Names of members that only the dialect needs; chosen so that the original schema does not use
 * them.
 */
export type ExtraNames = {
  readonly entries: string
  readonly item: string
  readonly rest: string
  readonly input: string
}

/** The name under which any JSON value is defined where every value needs a type. */
export const ANYTHING = '#/any JSON value'

/** Thrown if a strict dialect cannot express a schema; the tool is then offered without strict. */
export class InexpressibleError extends Error {
  readonly loss: Loss
  constructor(loss: Loss) {
    super(loss.why)
    this.loss = loss
  }
}

export function extraNames(schema: JsonSchema): ExtraNames {
  const taken = new Set<string>()
  collectNames(schema, taken)
  const free = (wanted: string): string =>
    [...taken].some((name) => name.startsWith(wanted)) ? free(`${wanted}_`) : wanted
  return { entries: free('entries'), item: free('item'), rest: free('rest'), input: free('input') }
}

function collectNames(node: unknown, into: Set<string>): void {
  if (Array.isArray(node)) for (const part of node) collectNames(part, into)
  if (!isRecord(node)) return
  for (const [keyword, part] of Object.entries(node)) {
    if (keyword === 'properties' && isRecord(part))
      for (const name of Object.keys(part)) into.add(name)
    collectNames(part, into)
  }
}

export function reportLoss(at: CompileContext, loss: Loss): void {
  at.losses.push(loss)
}
