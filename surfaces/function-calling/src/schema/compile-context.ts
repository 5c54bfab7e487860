import { isRecord, type JsonSchema } from '@surehand/core/internal'
import type { Dialect } from './dialect.ts'
import type { Plan } from './plan.ts'

/** Something the dialect can't say: it stands in the description instead, and the tool's own schema still judges it. */
export type Loss = { readonly path: string; readonly keyword: string; readonly why: string }

export type Compiled = { readonly schema: JsonSchema; readonly plan: Plan }

/** One run of the compiler: what it notes on its way. */
export type CompileContext = {
  /** Compiles a part: handed in, since every kind of node is made of others. */
  readonly node: (raw: unknown, path: string, at: CompileContext) => Compiled
  /** The same for a node that has been put in order. */
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

/** Names for members that only the dialect needs; no schema here uses them for anything else. */
export type ExtraNames = {
  readonly entries: string
  readonly item: string
  readonly rest: string
  readonly input: string
}

/** The name under which any JSON value is defined where every value needs a type. */
export const ANYTHING = '#/any JSON value'

/** Strict can't say it at all: the tool is offered without. */
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
